/** A line of the receipt as it is shown to a person: a name, and one value or several. */
export interface Row {
  readonly name: string;
  readonly values: readonly string[];
  /** Whether it shows a text of the bundle, so that the claim `content` is about it. */
  readonly ofContent?: true;
}

/** So that a receipt that was made to be long does not push the claims out of sight. */
const shown = { items: 20, units: 200, privateUnits: 2000 };

/** @param text null where the bundle does not show it */
export function privateText(text: string | null): string {
  if (text === null) return 'not in this bundle: it was erased, or is not for every reader';
  return plain(text, shown.privateUnits);
}

export function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ['none'] : lines;
}

/** The first items as lines, and a line that says how many more there are. */
export function cut<T>(items: readonly T[], lineOf: (item: T) => string): readonly string[] {
  const lines = items.slice(0, shown.items).map(lineOf);
  return items.length <= shown.items ? lines : [...lines, `and ${items.length - shown.items} more`];
}

/** Control characters, marks that change the direction of writing, and the two separators that end a line. */
const obeyed = /[\p{C}\u2028\u2029]/gu;

/** A text of other people on one line of limited length, without characters that a terminal or a browser would obey. */
export function plain(text: string, most = shown.units): string {
  const short = text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return short.replace(obeyed, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** A bundle may claim any number of seconds, and a Date cannot represent very late times. */
export function shownTime(seconds: number): string {
  return seconds < 2 ** 33 ? new Date(seconds * 1000).toISOString() : `${seconds} s after 1970`;
}
