import { readFile } from 'node:fs/promises';
import type { VerifierKey } from '../verifier/note.js';
import { parseTrustedKey } from '../verifier/trusted-keys.js';

/** Reads the value of `--key`: a verifier key or a file. A key has an id between two plus signs, unlike usual file names. */
export async function readKeys(given: string): Promise<VerifierKey[]> {
  if (/^[^+]+\+[0-9a-f]{8}\+/.test(given)) return [parseTrustedKey(given)];
  const lines = (await readFile(given, 'utf8')).split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '').map(parseTrustedKey);
  if (keys.length === 0) throw new Error(`there is no key in ${given}`);
  return keys;
}
