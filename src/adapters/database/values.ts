/** How the text of a PostgreSQL value becomes the value that both drivers give. Type OIDs are PostgreSQL's own. */
export const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  20: int8,
  114: (text) => text,
  1184: timestamp,
  3802: (text) => text,
};

function int8(text: string): number {
  const value = Number(text);
  // A rounded position would point at another entry, so a number that does not fit is an error and not a value.
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a JavaScript number`);
  return value;
}

/** Both databases run in UTC, so the text is `2026-01-02 03:04:05.678+00`. */
function timestamp(text: string): string {
  return new Date(text).toISOString();
}
