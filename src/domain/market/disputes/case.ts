import { agentIdPattern, handlePattern } from '../../../../contracts/agents.js';
import type { Handles } from '../state/handles.js';
import { isRecordedBefore } from '../state/receipt.js';
import { agrees, type CaseStatement } from './statement.js';

/** A case at t. It never changes: a change of the case makes another one. */
export interface Case {
  readonly id: string;
  /** The newest statement of its owner. */
  readonly state: CaseStatement;
  /** The agent against which it counts; null when it counts against none. */
  readonly agent: string | null;
}

/** The statements of one workspace about a case, of which two matter. */
interface Side {
  readonly workspace: string;
  /** The place of its first statement in recorded order. */
  recorded_ms: number;
  hash: string;
  /** Its statement with the highest seq. */
  newest: CaseStatement;
}

/** The statements of all workspaces about one case. */
export type CaseFile = Side[];

/** Adds a statement. The result does not depend on the order in which statements are added. */
export function addStatement(file: CaseFile, stated: CaseStatement, recorded_ms: number): void {
  const { workspace, hash, seq } = stated;
  const side = file.find((one) => one.workspace === workspace);
  if (side === undefined) {
    file.push({ workspace, recorded_ms, hash, newest: stated });
    return;
  }
  if (isRecordedBefore({ recorded_ms, hash }, side)) Object.assign(side, { recorded_ms, hash });
  if (seq > side.newest.seq) side.newest = stated;
}

/** The state of a case: the newest statement of the workspace whose statement was recorded first. */
export function stateOf(file: CaseFile): CaseStatement {
  return file.reduce((owner, side) => (isRecordedBefore(side, owner) ? side : owner)).newest;
}

/** Whether a second workspace states the same as the owner, in its own newest statement. */
export const isConfirmed = (file: CaseFile, state: CaseStatement): boolean =>
  file.some(({ workspace, newest }) => workspace !== state.workspace && agrees(newest, state));

/** A handle with the tag of its workspace, as agents without an identity are written. */
const taggedPattern = /^@[a-z0-9-]{2,32}~[0-9a-f]{16}$/;

const isHandle = (respondent: string): boolean => handlePattern.test(respondent);

/** Whether receipts of the owner decide about a case against this respondent. */
export const dependsOnReceipts = (respondent: string): boolean =>
  isHandle(respondent) || agentIdPattern.test(respondent);

/**
 * The agent against which a case counts; null when it counts against none.
 *
 * - `@handle` is an agent of the owner's own workspace: the one that the handle was recorded as in the newest public receipt
 *   of the owner up to this statement; before the first such receipt it is the handle itself.
 * - `agn_…` counts when the owner has a public receipt of this identity, or when a second workspace states the same.
 * - `@handle~tag` is the agent of a workspace that is named by its tag. It counts when a second workspace states the same.
 * - Any other text names no agent.
 */
export function agentAgainst(
  { workspace, respondent, seq }: CaseStatement,
  handles: Pick<Handles, 'agentAt' | 'hasIdentity'>,
  confirmed: boolean,
): string | null {
  if (isHandle(respondent)) return handles.agentAt(workspace, respondent, seq) ?? `${respondent}~${workspace}`;
  if (agentIdPattern.test(respondent))
    return confirmed || handles.hasIdentity(workspace, respondent) ? respondent : null;
  return confirmed && taggedPattern.test(respondent) ? respondent : null;
}
