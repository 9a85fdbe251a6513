import type { Bodies } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import { type Budget, fitBudget } from '../base/budget.js';
import type { World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import { runBy } from './by-caller.js';
import type { Command } from './command.js';
import { answering, once, type RepeatedAnswer, type RequestKey } from './once.js';
import { recording } from './record.js';
import type { Run } from './run.js';
import type { Degraded } from './search-candidates.js';
import type { SearchHit } from './search-hits.js';
import type { LeftOut } from './search-left-out.js';
import { type LookParts, look, type SearchRequest } from './search-look.js';

export interface SearchParts extends LookParts {
  readonly world: World;
  readonly run: Run;
  readonly budget: Budget;
}

interface SearchAnswer {
  readonly status: 200;
  readonly receipt: string;
  readonly body: {
    readonly receipt_id: string;
    readonly receipt_hash: string;
    readonly mode: 'fused' | 'keyword' | 'dense';
    readonly degraded: readonly Degraded[];
    readonly data: readonly SearchHit[];
    readonly left_out: LeftOut;
    readonly tokens_used: number;
    readonly token_budget: number;
  };
}

export type Search = (
  caller: Caller,
  request: SearchRequest,
  key: RequestKey,
) => Promise<SearchAnswer | RepeatedAnswer>;

/** Searches, then records what was found. Without the receipt there are no hits: no caller learns what is not on record. */
export function createSearch(parts: SearchParts): Search {
  return async (caller, request, key) => {
    const found = await look(parts, caller, request);
    const { tokenBudget: token_budget, k, query } = request;
    const { hits, tokensUsed: tokens_used, isWhole } = await fitBudget(parts.budget, found.hits, token_budget);
    const left_out = { budget: isWhole ? 0 : found.ranked - hits.length, invalidated: found.invalidated };
    request.signal?.throwIfAborted();
    const { mode, degraded } = found;
    const command = recordRecall(parts.world, caller, query, {
      namespace_ids: request.namespaceIds,
      mode,
      degraded,
      k,
      results: hits.map(({ memory_id, receipt_hash }) => ({ memory_id, receipt_hash })),
    });
    const answered = answering(command, (receipt) => ({
      status: 200,
      receipt: receipt.receipt_id,
      body: { ...receipt, mode, degraded, data: hits, left_out, tokens_used, token_budget },
    }));
    const shows = { receipts: () => hits.map(({ receipt_id }) => receipt_id) };
    const run = runBy(parts.run, caller, 'memory.read');
    return run(caller.workspaceId, once(answered, key, shows)).catch(unrecorded);
  };
}

/** Records what a search gave to whom: one memory.recall entry. The query's salt is kept, the query itself is not. */
export function recordRecall(
  world: World,
  caller: Caller,
  query: string,
  recall: Omit<Bodies['memory.recall'], 'query_commitment'>,
): Command<{ receipt_id: string; receipt_hash: string }> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: {},
    decide() {
      const body = { ...recall, query_commitment: record.commit(query) };
      return {
        ...record.effects({ kind: 'memory.recall', body }, {}),
        answer: ([linked]) => ({ receipt_id: record.receipt, receipt_hash: linked?.hash ?? '' }),
      };
    },
  };
}

/** Passes on a refusal of the request itself, and gives a failure of the store the code that searches have for it. */
function unrecorded(error: unknown): never {
  const refused = error instanceof Refusal && error.code !== 'receipt_unavailable';
  throw refused ? error : new Refusal('recall_receipt_unavailable', undefined, {}, { cause: error });
}
