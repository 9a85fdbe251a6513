import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';
import type { Expected, PdfCase } from './pdf-case.js';
import { columns } from './pdf-columns.js';
import { damaged } from './pdf-damaged.js';
import { encryptions } from './pdf-encrypted.js';
import { forms } from './pdf-forms.js';
import { letters } from './pdf-letters.js';
import { pages } from './pdf-pages.js';
import { pairs } from './pdf-pairs.js';
import { scripts } from './pdf-scripts.js';
import { tables } from './pdf-tables.js';
import { tallTables } from './pdf-tall.js';
import { tex } from './pdf-tex.js';

export const pdfFolder = join(packageRoot, 'test/corpus/files/pdf');

/** All PDFs of the corpus with what is expected of each. Every call makes the same bytes. */
export function pdfCorpus(): PdfCase[] {
  return [tables, columns, forms, letters, scripts, pages, damaged, encryptions, tex, pairs, tallTables].flatMap(
    (kind) => kind(),
  );
}

/** The expectations as they stand in `expected.json`. */
export function expectations(corpus: readonly PdfCase[]): string {
  const all: Record<string, Expected> = Object.fromEntries(
    corpus.map(({ name, expected }) => [`${name}.pdf`, expected]),
  );
  return `${JSON.stringify(all, null, 2)}\n`;
}

/** Writes the corpus into its folder: `node dist/test/corpus/make/pdf.js` after a build. */
function write(): void {
  const corpus = pdfCorpus();
  mkdirSync(pdfFolder, { recursive: true });
  for (const name of readdirSync(pdfFolder)) rmSync(join(pdfFolder, name));
  for (const { name, bytes } of corpus) writeFileSync(join(pdfFolder, `${name}.pdf`), bytes);
  writeFileSync(join(pdfFolder, 'expected.json'), expectations(corpus));
  console.log(`${corpus.length} files in ${pdfFolder}`);
}

if (process.argv[1] === import.meta.filename) write();
