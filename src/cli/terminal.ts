/** Where a command reads and writes. */
export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly colour: boolean;
  out(text: string): void;
  err(text: string): void;
}

/** Colour is for people who look at a terminal and have not asked to be spared it (https://no-color.org). */
export const terminal: Terminal = {
  stdin: process.stdin,
  colour: process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '',
  out: (text) => console.log(text),
  err: (text) => console.error(text),
};

/** What others have written must not move the cursor, change colours or turn the direction of reading. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
