/** How texts are measured and cut; given from outside, because a tokenizer is a library. */
export interface Budget {
  count(text: string): number;
  cut(text: string, tokens: number): string;
}

/**
 * The hits that fit a budget of tokens, in their order. The best hit always comes back, cut to fit; the first of the
 * others that does not fit ends the list, so that no worse hit stands in the place of a better one.
 */
export function fitBudget<H extends { readonly content: string; readonly truncated: boolean }>(
  budget: Budget,
  hits: readonly H[],
  tokenBudget: number,
): { hits: H[]; tokensUsed: number } {
  const fitting: H[] = [];
  let used = 0;
  for (const hit of hits) {
    const first = fitting.length === 0;
    const content = first ? budget.cut(hit.content, tokenBudget) : hit.content;
    const tokens = budget.count(content);
    if (!first && used + tokens > tokenBudget) break;
    used += tokens;
    fitting.push({ ...hit, content, truncated: content.length < hit.content.length });
  }
  return { hits: fitting, tokensUsed: used };
}
