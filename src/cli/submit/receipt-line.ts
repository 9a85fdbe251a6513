import { isObject } from '../../base/json-text.js';
import { type Line, longestLine } from '../lines.js';

/** A line that can be sent: the text of one JSON object. */
export interface ReceiptLine {
  readonly number: number;
  readonly text: string;
}

/** A line that is not a receipt, with the reason. */
export interface RefusedLine extends ReceiptLine {
  readonly code: string;
  readonly message: string;
  readonly issues?: unknown;
  /** Set when the end of the line is left out. */
  readonly cut?: true;
}

/** The number of characters that are shown of a line that is far too long. */
const shownOfCut = 1000;

/** The receipt of a line, the reason why it is none, or null for an empty line. Exactly one JSON object is on a line. */
export function receiptLine({ number, bytes, cut }: Line): ReceiptLine | RefusedLine | null {
  const text = decoded(bytes, number);
  if (cut) {
    const shown = (text ?? Buffer.from(bytes).toString('latin1')).slice(0, shownOfCut);
    const message = `The line has more than ${longestLine} bytes.`;
    return { number, text: shown, code: 'receipt_too_large', message, cut: true };
  }
  if (text === null) {
    const message = 'The line is not valid UTF-8.';
    return { number, text: Buffer.from(bytes).toString('latin1'), code: 'invalid_json', message };
  }
  if (text === '') return null;
  return isJsonObject(text)
    ? { number, text }
    : { number, text, code: 'invalid_json', message: 'The line is not a JSON object.' };
}

/** Without the white space around it, and without the byte order mark of a file. Null when it is not UTF-8. */
function decoded(bytes: Uint8Array, number: number): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return (number === 1 ? text.replace(/^\ufeff/, '') : text).replace(/^[ \t]+|[ \t\r]+$/g, '');
  } catch {
    return null;
  }
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
