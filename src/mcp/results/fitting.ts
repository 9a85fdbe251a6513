import type { Budget } from '../../base/budget.js';
import { excerptOf } from '../../base/excerpt.js';
import { firstMembersWithin, stringify } from '../../base/json-text.js';
import type { ToolResult } from '../tool.js';

/** Of the structured content and the text of one result together, unless the caller asks for more. */
export const resultTokens = 20_000;

/** The most characters that a result ever has; definitions of tools state it. */
export const resultCharacters = 500_000;

/** A result is made smaller at most this number of times, each time by half. */
const attempts = 8;

/**
 * The result with the greatest share of its texts that has at most `tokens` tokens.
 * @param build makes the result with this share, from 0 to 1, of what it may contain
 */
export async function fitResult(
  budget: Budget,
  tokens: number,
  build: (share: number) => Promise<ToolResult>,
): Promise<ToolResult> {
  let result = await build(1);
  for (let n = 1; n < attempts && !(await fits(budget, result, tokens)); n += 1) result = await build(2 ** -n);
  return result;
}

/** A token has at least one byte, so that short results need not be counted. */
async function fits(budget: Budget, { text, structured }: ToolResult, tokens: number): Promise<boolean> {
  const both = `${stringify(structured)}\n${text}`;
  if (Buffer.byteLength(both) <= tokens) return true;
  if (both.length > resultCharacters) return false;
  return (await budget.fit(both, tokens)).text.length === both.length;
}

/** A text of a caller, such as a source, that may be long. With the whole share it is not cut. */
export function shortText(text: string, share: number): string {
  return share === 1 ? text : excerptOf(text, Math.max(40, Math.floor(2000 * share)));
}

/** The first members of a JSON object that fit. With the whole share all of them do. */
export function shortObject(text: string, share: number): { readonly text: string; readonly isCut: boolean } {
  if (share === 1) return { text, isCut: false };
  const cut = firstMembersWithin(text, Math.floor(4000 * share));
  return { text: cut, isCut: cut.length < text.length };
}
