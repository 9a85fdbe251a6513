/** Many servers take this number of texts in one request, and more would make the round trip no less important. */
export const mostTexts = 64;
/** After this time a request has twice the texts, because the server may have been changed. */
const largerAfterMs = 3_600_000;

/** How many texts one request has. Some servers take 32 or 10 at most, and a slow one fails with many. It is known to this process only. */
export interface BatchSize {
  now(): number;
  /** Notes that the server has refused this number of texts together, and has taken both halves of them. */
  noteTooMany(count: number): void;
  /** Notes that a request with this number of texts has failed, which may have had other reasons. */
  noteFailed(count: number): void;
}

export function createBatchSize(clock: () => number = () => performance.now()): BatchSize {
  let size = mostTexts;
  let since = clock();
  function halve(count: number): void {
    size = Math.min(size, Math.ceil(count / 2));
    since = clock();
  }
  return {
    now() {
      if (size < mostTexts && clock() - since >= largerAfterMs) {
        size = Math.min(mostTexts, 2 * size);
        since = clock();
      }
      return size;
    },
    noteTooMany: halve,
    noteFailed(count) {
      // That a few texts failed says nothing about the number.
      if (2 * count > size) halve(count);
    },
  };
}
