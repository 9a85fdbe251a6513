import { privateKeys, tokens } from './credentials.js';
import { emails } from './emails.js';
import { addCounts, Budget, type Counts, type Detector, type Kind, type Span } from './finding.js';
import { cards, ibans } from './payment-numbers.js';
import { phones } from './phones.js';

export const redactedMark = '[redacted]';

/** The detectors in the order in which they run: digits in a private key could otherwise be taken for a phone number. */
const detectors: readonly (readonly [Kind, Detector])[] = [
  ['private_key', privateKeys],
  ['token', tokens],
  ['iban', ibans],
  ['email', emails],
  ['card', cards],
  ['phone', phones],
];

export interface Redacted {
  readonly text: string;
  /** The number of replaced values. A caller that refuses instead of redacting reads only this. */
  readonly found: Counts;
}

/** Replacing a value may make its neighbour recognizable, so the text is searched again, at most this number of times. */
const rounds = 8;

/**
 * Replaces every sensitive value by `[redacted]`. Redacting what was redacted changes nothing.
 * @param lead text before it that helps to recognize values, such as the key of a metadata value; it is not part of the
 * result
 */
export function redact(text: string, lead = ''): Redacted {
  const budget = new Budget();
  let result: Redacted = { text, found: {} };
  for (let round = 0; round < rounds; round += 1) {
    const next = redactOnce(result.text, lead, budget);
    if (next.text === result.text) break;
    result = { text: next.text, found: addCounts(result.found, next.found) };
  }
  return result;
}

function redactOnce(text: string, lead: string, budget: Budget): Redacted {
  let seen = plain(lead + text);
  const found: Partial<Record<Kind, number>> = {};
  const spans: Span[] = [];
  for (const [kind, detect] of detectors) {
    const own = detect(seen, budget).filter(({ from }) => from >= lead.length);
    if (own.length === 0) continue;
    found[kind] = own.length;
    spans.push(...own);
    // The next detectors must not see these values again, and offsets must stay the same.
    seen = replaceSpans(seen, own, ({ from, to }) => '\ufffc'.repeat(to - from));
  }
  if (spans.length === 0) return { text, found };
  spans.sort((one, other) => one.from - other.from);
  const whole = replaceSpans(lead + text, spans, () => redactedMark);
  return { text: whole.slice(lead.length), found };
}

function replaceSpans(text: string, spans: readonly Span[], by: (span: Span) => string): string {
  const pieces: string[] = [];
  let at = 0;
  for (const span of spans) {
    pieces.push(text.slice(at, span.from), by(span));
    at = span.to;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

/** Separators and signs that people and keyboards use instead of an ASCII character, by that character. */
const lookalikes: readonly (readonly [string, string])[] = [
  [' ', '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t'],
  ['-', '\u2010\u2011\u2012\u2013\u2212\u2043\ufe58\ufe63\u30fc'],
  ['.', '\u2024\u3002\uff61'],
];

const table = new Map(lookalikes.flatMap(([plain, others]) => [...others].map((other) => [other, plain] as const)));

/** The digit zero of other scripts. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

/**
 * Replaces full-width forms, digits of other scripts, and unusual spaces and hyphens by ASCII, one code unit by one, so
 * that offsets in the result are also offsets in the original text.
 */
function plain(text: string): string {
  return text.replace(
    /[\t\u00a0\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\u1680\u2000-\u200a\u2010-\u2013\u2024\u202f\u2043\u205f\u2212\u3000\u3002\u30fc\ufe58\ufe63\uff01-\uff5e\uff61]/g,
    asciiOf,
  );
}

function asciiOf(character: string): string {
  const known = table.get(character);
  if (known !== undefined) return known;
  const code = character.charCodeAt(0);
  if (code >= 0xff01) return String.fromCharCode(code - 0xfee0);
  const zero = zeros.find((from) => code >= from && code <= from + 9);
  return zero === undefined ? character : String(code - zero);
}
