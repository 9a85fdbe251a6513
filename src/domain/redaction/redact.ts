import { cards } from './cards.js';
import { emails } from './emails.js';
import { addCounts, Budget, type Counts, type Detector, type Kind, type Span } from './finding.js';
import { ibans } from './ibans.js';
import { phones } from './phones.js';
import { plain } from './plain.js';
import { privateKeys } from './private-keys.js';
import { tokens } from './tokens.js';

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
