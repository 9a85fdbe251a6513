import type { StoredAnswer } from '../../../contracts/entries/recorded.js';
import { storedAnswers } from '../../ledger/answers.js';
import { distinct, type Slice, stepwise } from './slice.js';

/** By request key. */
type Answers = ReadonlyMap<string, StoredAnswer>;

/** Answers that were stored for the requests with these keys. The batch itself adds those that it decides. */
export const answers: Slice<readonly string[], Answers> = {
  empty: new Map(),
  load: ({ tx, workspaceId, now }, reads) => storedAnswers(tx, workspaceId, distinct(reads), now),
  evolve: stepwise({}),
};
