/** The members of a span that a decoder did not understand, each as the end of a sentence about the span. */
export interface Faults {
  /** Names one for which the span is refused. */
  add(fault: string): void;
  /** Names one that the span is read without, or in another form. */
  note(remark: string): void;
  /** Does a part of the reading. A WrongMember becomes a fault. */
  attempt(read: () => void): void;
  /** Both lists, where they are not empty. */
  found(): { readonly wrong?: string; readonly noted?: readonly string[] };
}

export function createFaults(): Faults {
  const wrong: string[] = [];
  const noted: string[] = [];
  return {
    add: (fault) => void wrong.push(fault),
    note: (remark) => void noted.push(remark),
    attempt(read) {
      try {
        read();
      } catch (error) {
        if (!(error instanceof WrongMember)) throw error;
        wrong.push(error.message);
      }
    },
    found: () => ({ ...(wrong[0] !== undefined && { wrong: wrong[0] }), ...(noted.length > 0 && { noted }) }),
  };
}

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

/**
 * The first member that is none of the known ones, but would be one if it were written in another way: with underscores, or with other
 * capitals. OTLP allows receivers to ignore members that they do not know, and exporters of other spellings mean these.
 * @param others names in small letters without underscores that other formats have for known members
 * @returns the end of a sentence about the object that has it
 */
export function misspelt(
  parent: Readonly<Record<string, unknown>>,
  known: readonly string[],
  others: Readonly<Record<string, string>> = {},
): string | undefined {
  for (const name of Object.keys(parent)) {
    if (known.includes(name)) continue;
    const plain = name.replaceAll('_', '').toLowerCase();
    const meant =
      known.find((one) => one.toLowerCase() === plain) ?? (Object.hasOwn(others, plain) ? others[plain] : undefined);
    if (meant !== undefined) return `it has ${shown(name)}, and the name of this member in OTLP is ${meant}`;
  }
  return undefined;
}
