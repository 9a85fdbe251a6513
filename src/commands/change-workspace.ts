import type { Bodies, Draft } from '../../contracts/entries/entry.js';
import { receiptId, type World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import type { PublicTags } from '../domain/public-tags.js';
import type { Command } from './command.js';
import { system } from './open-workspace.js';
import { entries, recording } from './record.js';

/** The members of a workspace that are changed. What is undefined stays. */
interface WorkspaceChange {
  readonly name: string | undefined;
  readonly publish_task_receipts: boolean | undefined;
}

/**
 * Changes the name of a workspace, and whether its task receipts are public from here on. A receipt that is recorded
 * already stays as public as it was.
 */
export function changeWorkspace(
  world: World,
  tags: PublicTags,
  { actor, workspaceId }: Caller,
  { name, publish_task_receipts: publishes }: WorkspaceChange,
): Command<null> {
  const renamed: Draft[] =
    name === undefined ? [] : [{ kind: 'workspace.renamed', receipt_id: receiptId(world), body: { name } }];
  const receipt = receiptId(world);
  return {
    actor,
    reads: { governance: { rules: true } },
    decide({ governance }) {
      const drafts = [...renamed];
      if (publishes !== undefined && publishes !== governance.publishesTasks) {
        const body = { publish_task_receipts: publishes, public_tag: tags.workspace(workspaceId) };
        drafts.push({ kind: 'workspace.publishing_changed', receipt_id: receipt, body });
      }
      return entries(drafts, null);
    },
  };
}

/** Gives a workspace another plan, or switches its memory API. Only the operator of the service may do it, not the people of the workspace. */
export function provision(world: World, given: Bodies['workspace.provisioned']): Command<string> {
  const record = recording(world);
  return {
    actor: system,
    reads: {},
    decide: () => record.entry({ kind: 'workspace.provisioned', body: given }, record.receipt),
  };
}
