const validMs = 1000;

/**
 * The same question, answered at most once a second: however many ask, they share the answer or wait for it together. A failure
 * is not kept.
 * @param now a clock in milliseconds that never goes back
 */
export function onceASecond<T>(ask: () => Promise<T>, now: () => number = () => performance.now()): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    if (last && now() - last.at < validMs) return last.answer;
    const asked = { at: now(), answer: ask() };
    last = asked;
    asked.answer.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked.answer;
  };
}
