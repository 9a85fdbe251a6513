/** Measures and cuts texts. It is passed as an argument, because the tokenizer is a library. */
export interface Budget {
  /**
   * Returns the longest prefix of a text with at most `tokens` tokens, and its number of tokens. It never cuts a
   * character in half. The time depends on the prefix and not on the whole text, and it yields to other requests.
   * @param key of a text that is measured often: only texts that are equal may have the same one
   */
  fit(text: string, tokens: number, key?: string): Promise<{ readonly text: string; readonly tokens: number }>;
}

interface Hit {
  /** The text of a memory never changes. */
  readonly memory_id?: string;
  readonly content: string;
  readonly truncated: boolean;
}

/**
 * Returns the hits that fit into a budget of tokens, in their order. The best hit is always returned, cut if necessary.
 * The first later hit that does not fit ends the list, so that no worse hit is shown instead of a better one. No
 * further hits are then read, and `isWhole` is false.
 */
export async function fitBudget<H extends Hit>(
  budget: Budget,
  hits: AsyncIterable<H> | Iterable<H>,
  tokenBudget: number,
): Promise<{ hits: H[]; tokensUsed: number; isWhole: boolean }> {
  const fitting: H[] = [];
  let used = 0;
  for await (const hit of hits) {
    const { text: content, tokens } = await budget.fit(
      hit.content,
      tokenBudget - used,
      hit.truncated ? undefined : hit.memory_id,
    );
    const truncated = content.length < hit.content.length;
    if (truncated && fitting.length > 0) return { hits: fitting, tokensUsed: used, isWhole: false };
    used += tokens;
    fitting.push({ ...hit, content, truncated });
    if (truncated || used >= tokenBudget) return { hits: fitting, tokensUsed: used, isWhole: false };
  }
  return { hits: fitting, tokensUsed: used, isWhole: true };
}
