/** The codes of a status, by their names in the definitions of OTLP. */
const codes: ReadonlyMap<string, number> = new Map([
  ['UNSET', 0],
  ['OK', 1],
  ['ERROR', 2],
]);

/** A member of a span that is not what OTLP has there, as the end of a sentence about the span. */
export class WrongMember extends Error {}

/**
 * The code of a status: a number from 0 to 2, or its name with or without `STATUS_CODE_`, as some exporters of JSON write it.
 * @param code undefined for a status without a code, which is 0
 * @throws WrongMember
 */
export function statusCodeOf(code: unknown): number {
  if (code === undefined || code === null) return 0;
  const number = typeof code === 'string' && /^\d$/.test(code) ? Number(code) : code;
  if (number === 0 || number === 1 || number === 2) return number;
  const named = typeof code === 'string' ? codes.get(code.toUpperCase().replace(/^STATUS_CODE_/, '')) : undefined;
  if (named === undefined) throw new WrongMember(`its status code is ${shown(code)}, which OTLP does not have`);
  return named;
}

/** A value of a caller in a sentence. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
