import { isRecordedBefore } from '../state/receipt.js';
import { agrees, type CaseStatement } from './statement.js';

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
