import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';
import type { TextCase } from './texts-case.js';
import { textsInEncodings } from './texts-encodings.js';
import { specialTexts } from './texts-special.js';

export const textsFolder = join(packageRoot, 'test/corpus/files/texts');

/** All texts of the corpus with what is expected of each, in the order of their paths. Every call makes the same bytes. */
export function textsCorpus(): TextCase[] {
  return [...textsInEncodings(), ...specialTexts()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The declared types and the expectations as `expected.json` has them. */
export function textExpectations(corpus: readonly TextCase[]): string {
  const byPath = corpus.map(({ path, contentType, expected }) => [path, { contentType, ...expected }]);
  return `${JSON.stringify(Object.fromEntries(byPath), null, 2)}\n`;
}

/** Writes the corpus into its folder: `node dist/test/corpus/make/texts.js` after a build. */
function write(): void {
  const corpus = textsCorpus();
  rmSync(textsFolder, { recursive: true, force: true });
  for (const { path, bytes } of corpus) {
    mkdirSync(dirname(join(textsFolder, path)), { recursive: true });
    writeFileSync(join(textsFolder, path), bytes);
  }
  writeFileSync(join(textsFolder, 'expected.json'), textExpectations(corpus));
  console.log(`${corpus.length} texts in ${textsFolder}`);
}

if (process.argv[1] === import.meta.filename) write();
