import { open } from 'node:fs/promises';
import type { RefusedLine } from './receipt-line.js';

/** A file of JSON lines, one for each line of the input that was refused. */
export interface RefusalsFile {
  /** Adds lines. They are on disk when it returns. @returns the bytes of the file then */
  add(refused: readonly RefusedLine[]): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens the file and cuts it to the bytes that belong to what was sent before. It is made with the first refusal, and only
 * its owner may read it.
 */
export async function openRefusals(path: string, bytes: number): Promise<RefusalsFile> {
  let length = bytes;
  let file: Awaited<ReturnType<typeof open>> | undefined;
  const opened = async () => {
    file ??= await open(path, length === 0 ? 'w' : 'r+', 0o600);
    return file;
  };
  if (bytes > 0) await (await opened()).truncate(bytes);
  return {
    async add(refused) {
      if (refused.length === 0) return length;
      const text = Buffer.from(refused.map((line) => `${recordOf(line)}\n`).join(''));
      const to = await opened();
      await to.write(text, 0, text.length, length);
      await to.datasync();
      length += text.length;
      return length;
    },
    close: async () => file?.close(),
  };
}

function recordOf({ number, code, message, issues, text, cut }: RefusedLine): string {
  return JSON.stringify({ line: number, code, message, issues, text, cut });
}
