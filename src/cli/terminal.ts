/** The input and output of a command. */
export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly colour: boolean;
  out(text: string): void;
  err(text: string): void;
}

/** Colour is used only on a terminal, and not if NO_COLOR is set (https://no-color.org). */
export const terminal: Terminal = {
  stdin: process.stdin,
  colour: process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '',
  out: (text) => console.log(text),
  err: (text) => console.error(text),
};

/**
 * Escapes control characters in foreign texts, which could move the cursor, change colours or reverse the writing direction.
 */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
