import { getCountrySpecifications, isValidIBAN } from 'ibantools';
import type { Span } from './finding.js';

const lengths = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars }]) =>
    typeof chars === 'number' ? [[country, chars] as const] : [],
  ),
);

const opening = /(?<![A-Za-z0-9_+/.-])[A-Za-z]{2}[ -]?\d{2}(?=[ -]?[A-Za-z0-9])/g;

/** Finds IBANs of every country in the registry, by the length and form of the country and the check digits (mod 97). */
export function ibans(text: string): Span[] {
  const spans: Span[] = [];
  let taken = 0;
  for (const { index, 0: match } of text.matchAll(opening)) {
    if (index < taken) continue;
    const length = lengths.get(match.slice(0, 2).toUpperCase());
    if (length === undefined) continue;
    const to = endOf(text, index, length);
    if (to === null || !isValidIBAN(text.slice(index, to).replace(/[ -]/g, '').toUpperCase())) continue;
    spans.push({ from: index, to });
    taken = to;
  }
  return spans;
}

/**
 * The end of `length` letters and digits with at most one space or hyphen between two; null when there are fewer or more.
 */
function endOf(text: string, from: number, length: number): number | null {
  let count = 0;
  let at = from;
  for (let separated = true; count < length; at += 1) {
    const character = text[at] ?? '';
    if (/[A-Za-z0-9]/.test(character)) {
      count += 1;
      separated = false;
    } else if (/[ -]/.test(character) && !separated) {
      separated = true;
    } else {
      return null;
    }
  }
  return /[A-Za-z0-9_]/.test(text[at] ?? '') ? null : at;
}
