/** After this what was fetched is fetched again. */
const freshMs = 60 * 60_000;
/** Callers can make something fail as often as they want, so a doubt counts once in this time. */
const doubtMs = 60_000;

/** An answer of another service that changes rarely, such as a description of itself. */
export interface FreshAnswer<T> {
  /** At most an hour old, unless the other service does not answer. @throws what `fetch` throws, as long as nothing was fetched */
  get(): Promise<T>;
  /** Something failed that was done with it: it may have changed. */
  doubt(): void;
}

/** @param now of a clock that is never set, in milliseconds */
export function freshAnswer<T>(fetch: () => Promise<T>, now: () => number): FreshAnswer<T> {
  let known: { readonly value: T; readonly at: number } | undefined;
  let fetching: Promise<T> | undefined;
  let isDoubted = false;

  async function refresh(): Promise<T> {
    const value = await fetch();
    known = { value, at: now() };
    isDoubted = false;
    return value;
  }

  return {
    async get() {
      if (known && now() - known.at < (isDoubted ? doubtMs : freshMs)) return known.value;
      const before = known;
      fetching ??= refresh().finally(() => {
        fetching = undefined;
      });
      return fetching.catch((error: unknown) => {
        if (!before) throw error;
        return before.value;
      });
    },
    doubt() {
      isDoubted = true;
    },
  };
}
