import { openOutput } from './output.js';

/** The input and output of a command. */
export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly colour: boolean;
  out(text: string): void;
  err(text: string): void;
}

/** Standard output and standard error of this process. */
export const output = openOutput(process.stdout, process.stderr);

/** Colour is used only on a terminal, and not if NO_COLOR is set (https://no-color.org). */
export const terminal: Terminal = {
  stdin: process.stdin,
  colour: process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '',
  out: (text) => void output.stdout.write(`${text}\n`),
  err: (text) => void output.stderr.write(`${text}\n`),
};

/**
 * Escapes control characters in foreign texts, which could move the cursor, change colours or reverse the writing direction, but
 * not line breaks: for texts of several lines that are our own.
 */
export function printable(text: string): string {
  return text.replace(obeyed, escaped);
}

/** A value as JSON in which the same characters are escaped as JSON escapes them. */
export function printableJson(value: unknown): string {
  const unit = (text: string) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(obeyed, (character) => character.split('').map(unit).join(''));
}

/** The same with line breaks, for a text of other people: it must not look like another line of the output. */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', '\\u{a}');
}

const obeyed = /[^\P{C}\n]|[\u2028\u2029]/gu;

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
