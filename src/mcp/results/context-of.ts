import { limits } from '../../../contracts/limits.js';
import type { RunMemory } from '../../api/memories/of-run.js';
import { searchOperation } from '../../api/memories/search.js';
import type { Budget } from '../../base/budget.js';
import type { Arguments, Calling } from '../tool.js';
import type { ArgumentList } from '../tools/argument-list.js';
import { answerOf } from '../tools/arguments.js';
import { type Found, messageAbout, nothingFound, readFound } from './found.js';
import { type ContextBlock, contextBlock, notInstructions, receiptPrefix } from './notes.js';
import { runNotes } from './run-notes.js';

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
 * @param ofRun the newest memories of a run, newest first: they come before the hits, in half of the tokens at most
 */
export async function contextOf(
  budget: Budget,
  word: string,
  whole: Found,
  share: number,
  ofRun: readonly RunMemory[] = [],
): Promise<Context> {
  const { receipt_id, receipt_hash, mode, degraded, token_budget } = whole;
  const allowed = Math.max(limits.tokenBudgetMin, Math.floor(token_budget * share));
  const room = allowed - searchLineTokens;
  const least = limits.tokenBudgetMin - searchLineTokens;
  const first = await runNotes(budget, word, ofRun, Math.min(Math.floor(allowed / 2), room - least));
  const ofFirst = new Set(first.shown.map(({ memory_id }) => memory_id));
  const found = { ...whole, data: whole.data.filter(({ memory_id }) => !ofFirst.has(memory_id)) };
  const { data } = found;
  const own =
    data.length === 0 ? await emptyBlock(budget, found) : await contextBlock(budget, word, data, room - first.tokens);
  const block = first.shown.length === 0 ? own : await behind(budget, first.text, own);
  const hits = own.truncated.map((isCut, n) => {
    const { memory_id = '', receipt_id = '', receipt_hash = '', truncated = false } = data[n] ?? {};
    return { memory_id, receipt_id, receipt_hash, truncated: isCut || truncated };
  });
  const sources = [...first.shown.map(sourceOf), ...hits];
  return {
    context: block.context,
    sources: sources.map((source, n) => ({ number: n + 1, ...source })),
    receipt_id,
    receipt_hash,
    mode,
    degraded,
    left_out: withoutLast(found, own.truncated.length),
    tokens_used: block.tokens,
    max_tokens: token_budget,
  };
}

const sourceOf = ({ memory_id, receipt_id, receipt_hash, truncated }: RunMemory & { readonly truncated: boolean }) => ({
  memory_id,
  receipt_id,
  receipt_hash,
  truncated,
});

/** A block of hits, or nothing where there are none, behind other notes. Both are behind the first sentence. */
async function behind(
  budget: Budget,
  notes: string,
  { context, truncated }: Pick<ContextBlock, 'context' | 'truncated'>,
) {
  const hits = truncated.length === 0 ? '' : context.slice(notInstructions.length);
  const whole = `${notInstructions}\n${notes}${hits}`;
  const { tokens } = await budget.fit(whole, Number.MAX_SAFE_INTEGER);
  return { context: whole, tokens };
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
