import validator from 'card-validator';
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
