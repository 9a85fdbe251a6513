import pg from 'pg';

/** Converts the text of a PostgreSQL value to the value for callers, by PostgreSQL's type OID. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  20: int8,
  1016: (text) =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map((one) => (one === 'NULL' ? null : int8(one))),
  114: (text) => text,
  1184: timestamp,
  3802: (text) => text,
};

export const parserOf: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  parsers[oid] ?? pg.types.getTypeParser(oid, format);

function int8(text: string): number {
  const value = Number(text);
  // A rounded position would refer to another entry, so a number that does not fit is an error.
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a JavaScript number`);
  return value;
}

/** Both databases run in UTC, so the text is `2026-01-02 03:04:05.678+00`. */
function timestamp(text: string): string {
  return new Date(text).toISOString();
}
