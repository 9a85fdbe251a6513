/** An answer that has changed is given for this long by a process that has just heard it; it saves a query a request. */
const rememberMs = 1000;
/** From this age on it is asked for again while requests go on with what is known: none of them waits for the answer. */
const refreshMs = 500;
const rememberedAnswers = 10_000;

/** Asks as `find` does, and seldom. That there is nothing is not remembered, so what is new is found at once. */
export function remembering<T>(
  find: (name: string) => Promise<T | undefined>,
  now: () => Date,
): (name: string) => Promise<T | undefined> {
  const remembered = new Map<string, { readonly answer: T; readonly asked: number }>();
  /** Requests that come while something is being looked up wait for the same answer. */
  const asking = new Map<string, Promise<T | undefined>>();

  function ask(name: string): Promise<T | undefined> {
    const underWay = asking.get(name);
    if (underWay) return underWay;
    const asked = now().getTime();
    const looking = find(name)
      .then((answer) => {
        if (remembered.size >= rememberedAnswers) remembered.clear();
        if (answer === undefined) remembered.delete(name);
        else remembered.set(name, { answer, asked });
        return answer;
      })
      .finally(() => asking.delete(name));
    asking.set(name, looking);
    return looking;
  }

  return async (name) => {
    const known = remembered.get(name);
    const age = known ? now().getTime() - known.asked : rememberMs;
    if (!known || age >= rememberMs) return ask(name);
    // If it fails, the request that comes when the time is up asks again and tells.
    if (age >= refreshMs) ask(name).catch(() => undefined);
    return known.answer;
  };
}
