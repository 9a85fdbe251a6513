import type { AskRule } from '../../contracts/entries/entry.js';
import { addMemory, type NewMemory } from '../../src/commands/add-memory.js';
import { decideApproval } from '../../src/commands/approvals.js';
import { changeRules } from '../../src/commands/change-rules.js';
import type { Caller } from '../../src/domain/caller.js';
import { given, type Workspace } from '../support/given.js';

/** How long an approval lasts. */
export const week = 7 * 24 * 3_600_000;

export const memory = (more: Partial<NewMemory> = {}): NewMemory => ({
  content: 'a held pelican',
  metadata: '{}',
  source: 'crawler',
  sensitive: {},
  label: null,
  namespace: undefined,
  playground: false,
  approvalId: undefined,
  ...more,
});

/** A workspace with rules that hold writes. */
export function asking(...ask_owner: AskRule[]): Workspace {
  const workspace = given();
  const rules = { pause_all: false, sensitive: 'redact', ask_owner } as const;
  workspace.when(changeRules(workspace.world, workspace.person('owner'), rules)).answer();
  return workspace;
}

export const write = (workspace: Workspace, caller: Caller, more: Partial<NewMemory> = {}, afterMs = 0) =>
  workspace.when(addMemory(workspace.world, caller, memory(more)), afterMs);

/** @returns the id of the approval that the write waits for */
export const held = (workspace: Workspace, caller: Caller, more: Partial<NewMemory> = {}, afterMs = 0): string =>
  String(
    write(workspace, caller, more, afterMs).thenRefused('approval_required', undefined, ...filed).details.approval_id,
  );

/** The entries of a held write: what people decide by, and the request. */
export const filed = ['approval.excerpt', 'approval.requested'] as const;

export const decide = (
  workspace: Workspace,
  by: Caller,
  id: string,
  decision: 'approved' | 'rejected' = 'approved',
  afterMs = 0,
) => workspace.when(decideApproval(workspace.world, by, id, decision), afterMs);
