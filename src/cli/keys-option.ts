import { readFile } from 'node:fs/promises';
import { parseVerifierKey, type VerifierKey } from '../verifier/note-key.js';

/** What `--key` was given: a verifier key, or a file. A key has two plus signs with an id between them, as no usual file name has. */
export async function readKeys(given: string): Promise<VerifierKey[]> {
  if (/^[^+]+\+[0-9a-f]{8}\+/.test(given)) return [parseVerifierKey(given)];
  const lines = (await readFile(given, 'utf8')).split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '').map(parseVerifierKey);
  if (keys.length === 0) throw new Error(`there is no key in ${given}`);
  return keys;
}
