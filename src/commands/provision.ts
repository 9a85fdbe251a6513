import type { Bodies } from '../../contracts/entries/entry.js';
import { receiptId, type World } from '../base/world.js';
import type { Command } from './command.js';
import { system } from './open-workspace.js';

/** Gives a workspace another plan, or switches its memory API. Only the operator of the service may do it, not the people of the workspace. */
export function provision(world: World, given: Bodies['workspace.provisioned']): Command<string> {
  const receipt = receiptId(world);
  return {
    actor: system,
    reads: {},
    decide: () => ({
      drafts: [{ kind: 'workspace.provisioned', receipt_id: receipt, body: given }],
      deposits: [],
      answer: () => receipt,
    }),
  };
}
