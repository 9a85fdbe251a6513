import { cards } from './cards.js';
import { emails } from './emails.js';
import { addCounts, Budget, type Counts, type Detector, type Kind, type Span } from './finding.js';
import { ibans } from './ibans.js';
import { phones } from './phones.js';
import { plain } from './plain.js';
import { privateKeys } from './private-keys.js';
import { tokens } from './tokens.js';

export const redactedMark = '[redacted]';

/** In the order in which they take what they find: a key has digits in it that could pass for a phone number. */
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
  /** What was replaced. Who refuses instead of redacting reads only this. */
  readonly found: Counts;
}

/** A value beside one that goes may be seen as what it is only afterwards; more than this many in a row are a game. */
const rounds = 8;

/**
 * Replaces every sensitive value by `[redacted]`. Redacting what was redacted changes nothing.
 * @param lead what stands before the text and tells what it is, such as the key of a metadata value; it stays
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
    // What one detector has taken the next ones must not see, and offsets must not move.
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
