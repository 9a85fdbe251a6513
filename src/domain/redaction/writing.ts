import { type JSONVisitor, visit } from 'jsonc-parser';
import { addCounts, type Counts } from './finding.js';
import { saysCard } from './payment-numbers.js';
import { type Redacted, redact, redactedMark } from './redact.js';

/**
 * The texts of a memory that come from the caller. The source is one of them: it may be the address of the sender of a mail.
 */
export interface Writing {
  readonly content: string;
  readonly metadata: string;
  readonly source: string | null;
  /** The name of a file or a URL, which may have an address or a token in it. */
  readonly label: string | null;
}

export interface RedactedWriting extends Writing {
  readonly found: Counts;
}

/** Replaces every sensitive value in the four texts by `[redacted]` and counts them by kind. */
export function redactMemory({ content, metadata, source, label }: Writing): RedactedWriting {
  const text = redact(content);
  const json = redactJson(metadata);
  const [from, name] = [source, label].map((one) => (one === null ? null : redact(one)));
  return {
    content: text.text,
    metadata: json.text,
    source: from?.text ?? null,
    label: name?.text ?? null,
    found: [json, from, name].reduce((sum, one) => addCounts(sum, one?.found ?? {}), text.found),
  };
}

/**
 * Redacts the string values of a JSON text, at any depth, and leaves everything else unchanged: keys and their order,
 * numbers, spaces. The key of a value helps to recognize it: {"phone": "2125550123"}. A number is redacted only if its
 * key says what it is, because other numbers are counts and ids.
 */
export function redactJson(json: string): Redacted {
  const pieces: string[] = [];
  let found: Counts = {};
  let at = 0;
  const visitor: JSONVisitor = {
    onLiteralValue(value: unknown, offset, length, _line, _column, path) {
      const written = json.slice(offset, offset + length);
      const after = replacement(value, written, () => leadOf(path().findLast((step) => typeof step === 'string')));
      if (after === null) return;
      pieces.push(json.slice(at, offset), JSON.stringify(after.text));
      found = addCounts(found, after.found);
      at = offset + length;
    },
  };
  visit(json, visitor, { disallowComments: true });
  return { text: pieces.join('') + json.slice(at), found };
}

/** The same for several JSON texts, one result for each. */
export const redactTexts = (texts: readonly string[]): readonly Redacted[] => texts.map(redactJson);

/** The replacement of a literal; null when it stays unchanged. */
function replacement(value: unknown, written: string, lead: () => string): Redacted | null {
  const after =
    typeof value === 'string'
      ? redact(value, lead())
      : typeof value === 'number' && /^\d{7,19}$/.test(written)
        ? numberOf(written, lead())
        : null;
  return after === null || Object.keys(after.found).length === 0 ? null : after;
}

function numberOf(written: string, lead: string): Redacted {
  const after = redact(written, lead);
  const sure = after.text === redactedMark && (after.found.phone === 1 || saysCard(lead));
  return sure ? after : { text: written, found: {} };
}

/** The key as words before the value: `phoneNumber` becomes `phone Number: `. */
function leadOf(key: string | number | undefined): string {
  if (typeof key !== 'string') return '';
  return `${key.slice(0, 64).replace(/(?<=[a-z])(?=[A-Z])/g, ' ')}: `;
}
