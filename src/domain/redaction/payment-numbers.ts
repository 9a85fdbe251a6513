import validator from 'card-validator';
import { getCountrySpecifications, isValidIBAN } from 'ibantools';
import type { Budget, Span } from './finding.js';
import { deniedBefore, leadsTo } from './words-before.js';

/** Groups of digits as they are printed on cards. Any 12 to 19 digits would be too loose a form. */
const forms =
  /(?<![\w.,:/#@%&+~$\u20ac\u00a3-])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|3\d{3}([ -])\d{6}\2\d{4,5}|62\d{4}[ -]?\d{13}|\d{14,16})(?![\w%\u20ac\u00a3$]|[ -]\d{4}|[.,:/-]\d)/g;

const named =
  /(?:card|karte|carte|tarjeta|cart[aã]o|carta|kaart|kort|kart[ay]?|карт[аыуе]|visa|master ?card|amex|american express|diners|unionpay|maestro|jcb|pan|卡号|カード)/;

/** Payment card numbers: a brand's prefix and length, and the check digit (Luhn). */
export function cards(text: string, budget: Budget): Span[] {
  return [...text.matchAll(forms)]
    .filter(({ index, 0: match }) => {
      const digits = match.replace(/\D/g, '');
      if (!luhn(digits)) return false;
      const says = leadsTo(text, index, named, 32);
      if (deniedBefore(text, index) && !says) return false;
      // Fourteen digits without a space are more often a time or a counter than a Diners card.
      if (digits.length === 14 && digits.length === match.length && !says) return false;
      return budget.ask(`card ${digits}`, () => validator.number(digits).isValid) ?? true;
    })
    .map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
}

/** The library checks this too, but takes thirty times longer. Nine of ten numbers fail here already. */
function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const weighed = i % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

/** Whether a metadata key or other words before a number say that it is a card. */
export function saysCard(words: string): boolean {
  return leadsTo(words, words.length, named, 32);
}

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
