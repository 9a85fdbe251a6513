/** How texts are measured and cut; given from outside, because a tokenizer is a library. */
export interface Budget {
  /**
   * The longest beginning of a text that has at most so many tokens, and how many it has; never half a character.
   * It takes time for what fits and not for the whole text, and lets others have their turn meanwhile.
   */
  fit(text: string, tokens: number): Promise<{ readonly text: string; readonly tokens: number }>;
}

/**
 * The hits that fit a budget of tokens, in their order. The best hit always comes back, cut to fit; the first of the
 * others that does not fit ends the list, so that no worse hit stands in the place of a better one. Nothing is asked for
 * beyond that.
 */
export async function fitBudget<H extends { readonly content: string; readonly truncated: boolean }>(
  budget: Budget,
  hits: AsyncIterable<H> | Iterable<H>,
  tokenBudget: number,
): Promise<{ hits: H[]; tokensUsed: number }> {
  const fitting: H[] = [];
  let used = 0;
  for await (const hit of hits) {
    const { text: content, tokens } = await budget.fit(hit.content, tokenBudget - used);
    const truncated = content.length < hit.content.length;
    if (truncated && fitting.length > 0) break;
    used += tokens;
    fitting.push({ ...hit, content, truncated });
    if (truncated || used >= tokenBudget) break;
  }
  return { hits: fitting, tokensUsed: used };
}
