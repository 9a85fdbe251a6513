import { shown } from './status.js';

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
