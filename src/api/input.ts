/** Small questions that several endpoints ask of what came in. */

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

export function lastOf<T>(items: readonly T[]): T | undefined {
  return items[items.length - 1];
}
