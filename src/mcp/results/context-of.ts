import { limits } from '../../../contracts/limits.js';
import { searchOperation } from '../../api/memories/search.js';
import type { Budget } from '../../base/budget.js';
import type { Arguments, Calling } from '../tool.js';
import type { ArgumentList } from '../tools/argument-list.js';
import { answerOf } from '../tools/arguments.js';
import { type Found, messageAbout, nothingFound, readFound } from './found.js';
import { contextBlock, receiptPrefix } from './notes.js';

/** The subject of a block of context. Members of the wrong type are refused when the arguments are checked. */
export interface Question {
  readonly query: unknown;
  readonly limit?: unknown;
  readonly maxTokens?: unknown;
  readonly namespaceIds?: unknown;
}

/** Searches for a block of context. @param args what the client sent, checked as `list` says */
export async function findNotes(
  { query, limit = limits.contextDefault, maxTokens = limits.tokenBudgetDefault, namespaceIds }: Question,
  list: ArgumentList,
  args: Pick<Arguments, 'value'>,
  calling: Calling,
): Promise<Found> {
  const body = JSON.stringify({ query, namespace_ids: namespaceIds, k: limit, token_budget: maxTokens });
  return readFound(await answerOf(searchOperation, list, args, calling, { body }));
}

export interface Context {
  readonly context: string;
  readonly sources: readonly {
    readonly number: number;
    readonly memory_id: string;
    readonly receipt_id: string;
    readonly receipt_hash: string;
    readonly truncated: boolean;
  }[];
  readonly receipt_id: string;
  readonly receipt_hash: string;
  readonly mode: Found['mode'];
  readonly degraded: Found['degraded'];
  readonly left_out: Found['left_out'];
  readonly tokens_used: number;
  readonly max_tokens: number;
}

/** The name of a search at the end of its text, and the number of its matches that are not in it. */
export function searchLine({ left_out: { budget, invalidated }, ...found }: Pick<Found, 'receipt_hash' | 'left_out'>) {
  const beyond = budget > 0 ? ` ${budget} more did not fit.` : '';
  const invalid = invalidated > 0 ? ` ${invalidated} invalidated left out.` : '';
  return `Search receipt ${receiptPrefix(found)}.${beyond}${invalid}`;
}

/** Of the line above, with the line break before it. */
const searchLineTokens = 32;

/**
 * The block of context with at most this share of the tokens that were allowed, and with room for the line that names the search.
 * @param word of the tags of this answer
 */
export async function contextOf(budget: Budget, word: string, found: Found, share: number): Promise<Context> {
  const { data, receipt_id, receipt_hash, mode, degraded, token_budget } = found;
  const room = Math.max(limits.tokenBudgetMin, Math.floor(token_budget * share)) - searchLineTokens;
  const block = data.length === 0 ? await emptyBlock(budget, found) : await contextBlock(budget, word, data, room);
  return {
    context: block.context,
    sources: block.truncated.map((isCut, n) => {
      const { memory_id = '', receipt_id = '', receipt_hash = '', truncated = false } = data[n] ?? {};
      return { number: n + 1, memory_id, receipt_id, receipt_hash, truncated: isCut || truncated };
    }),
    receipt_id,
    receipt_hash,
    mode,
    degraded,
    left_out: withoutLast(found, block.truncated.length),
    tokens_used: block.tokens,
    max_tokens: token_budget,
  };
}

/** The matches that are left out when only the first `shown` hits of a search are shown. */
export const withoutLast = ({ data, left_out: { budget, invalidated } }: Found, shown: number): Found['left_out'] => ({
  budget: budget + data.length - shown,
  invalidated,
});

async function emptyBlock(budget: Budget, found: Found) {
  const context = messageAbout(found) ?? nothingFound;
  const { tokens } = await budget.fit(context, found.token_budget);
  return { context, tokens, truncated: [] };
}
