/** Small questions that several endpoints ask of what came in. */

export function lastOf<T>(items: readonly T[]): T | undefined {
  return items[items.length - 1];
}
