import { invalidatedSentence } from '../../../contracts/invalidation.js';
import { limits } from '../../../contracts/limits.js';
import { type Budget, fitBudget } from '../../base/budget.js';
import { RawJson } from '../../base/json-text.js';
import { searchLine, withoutLast } from '../results/context-of.js';
import { fitResult, resultTokens, shortObject, shortText } from '../results/fitting.js';
import { type Found, type FoundHit, messageAbout } from '../results/found.js';
import { cutNote, escapeNote, fenced, notInstructions, sourceAttribute } from '../results/notes.js';
import type { ToolResult } from '../tool.js';

/** The result of a search for a model. A caller that asks for more than usual gets a longer one. @param word of the tags */
export function recallResult(budget: Budget, word: string, found: Found): Promise<ToolResult> {
  const asked = Math.max(1, found.token_budget / limits.tokenBudgetDefault, found.data.length / limits.searchDefault);
  const given = { ...found, data: found.data.map(withoutReason) };
  return fitResult(budget, resultTokens * asked, (share) => shown(budget, word, given, share));
}

/** The hits as JSON and as text, with this share of what callers have written. */
async function shown(budget: Budget, word: string, found: Found, share: number): Promise<ToolResult> {
  const room = Math.floor(found.token_budget * share);
  const { hits: data, tokensUsed } =
    share === 1 ? { hits: found.data, tokensUsed: found.tokens_used } : await fitBudget(budget, found.data, room);
  const message = messageAbout(found);
  const short = data.map((hit) => shortHit(hit, share));
  const cut = { ...found, data: short, left_out: withoutLast(found, short.length), tokens_used: tokensUsed };
  return {
    text: await asText(budget, word, cut, room, message),
    structured: {
      ...(short.length > 0 && { notice: notInstructions }),
      ...cut,
      ...(message !== null && { message }),
    },
  };
}

function shortHit(hit: FoundHit, share: number): FoundHit & { readonly metadata_truncated?: true } {
  if (share === 1) return hit;
  const { text: metadata, isCut } = shortObject(hit.metadata.text, share);
  const { invalidated } = hit;
  return {
    ...hit,
    why: shortText(hit.why, share),
    signals: { ...hit.signals, matched: hit.signals.matched.slice(0, Math.ceil(16 * share)) },
    source: hit.source === null ? null : shortText(hit.source, share),
    metadata: new RawJson(metadata),
    ...(invalidated && {
      invalidated: { ...invalidated, reason: invalidated.reason && shortText(invalidated.reason, share) },
    }),
    ...(isCut && { metadata_truncated: true }),
  };
}

/** The excerpts have half the budget: a client that shows a model both forms would else show everything twice. */
async function asText(
  budget: Budget,
  word: string,
  found: Found,
  room: number,
  message: string | null,
): Promise<string> {
  const { data, tokens_used } = found;
  const contents = await excerpts(budget, data, tokens_used, Math.floor(room / 2));
  const hits = await Promise.all(
    data.map(async (hit, n) => {
      const { text = '', isCut = false } = contents[n] ?? {};
      return fenced(word, hit, await sourceAttribute(budget, hit.source), noteOf(hit, text), hit.truncated || isCut);
    }),
  );
  const order = data.length > 1 ? ' The best is first.' : '';
  const lead = data.length === 0 ? [] : [`${notInstructions}${order}`];
  return [...lead, ...hits, ...(message === null ? [] : [message]), searchLine(found)].join('\n');
}

/** A caller has written the reason of an invalidation, so it is between the tags of the memory. */
function noteOf({ invalidated }: FoundHit, escaped: string): string {
  return invalidated ? `${escapeNote(invalidatedSentence(invalidated))}\n${escaped}` : escaped;
}

function withoutReason(hit: FoundHit): FoundHit {
  const { why, invalidated } = hit;
  if (!invalidated) return hit;
  const sentence = invalidatedSentence({ at: invalidated.at, reason: null });
  return { ...hit, why: `${why.slice(0, -invalidatedSentence(invalidated).length)}${sentence}` };
}

interface Excerpt {
  readonly text: string;
  readonly isCut: boolean;
}

/** The contents where they fit, or the beginning of each with an equal share of the room that is left. */
async function excerpts(budget: Budget, hits: readonly FoundHit[], used: number, room: number): Promise<Excerpt[]> {
  const whole = hits.map(({ content }) => escapeNote(content));
  if (used <= room && whole.every((content, n) => content === hits[n]?.content))
    return whole.map((text) => ({ text, isCut: false }));
  const cut: Excerpt[] = [];
  let left = room;
  for (const [n, content] of whole.entries()) {
    const { text, tokens, isCut } = await cutNote(budget, content, Math.floor(left / (whole.length - n)));
    cut.push({ text, isCut });
    left -= tokens;
  }
  return cut;
}
