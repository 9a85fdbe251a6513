import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';
import { brokenNotes } from './notes-broken.js';
import type { NoteCase } from './notes-case.js';
import { noteDialects } from './notes-dialects.js';
import { noteValues } from './notes-values.js';

export const notesFolder = join(packageRoot, 'test/corpus/files/notes');

/** All notes of the corpus with what is expected of each, in the order of their paths. Every call makes the same bytes. */
export function notesCorpus(): NoteCase[] {
  const all = [...noteValues(), ...brokenNotes(), ...noteDialects()];
  return all.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The expectations as `expected.json` has them. */
export function noteExpectations(corpus: readonly NoteCase[]): string {
  return `${JSON.stringify(Object.fromEntries(corpus.map(({ path, expected }) => [path, expected])), null, 2)}\n`;
}

/** Writes the corpus into its folder: `node dist/test/corpus/make/notes.js` after a build. */
function write(): void {
  const corpus = notesCorpus();
  rmSync(notesFolder, { recursive: true, force: true });
  for (const { path, bytes } of corpus) {
    mkdirSync(dirname(join(notesFolder, path)), { recursive: true });
    writeFileSync(join(notesFolder, path), bytes);
  }
  writeFileSync(join(notesFolder, 'expected.json'), noteExpectations(corpus));
  console.log(`${corpus.length} notes in ${notesFolder}`);
}

if (process.argv[1] === import.meta.filename) write();
