import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../src/base/package-root.js';
import { pdfCorpus, pdfFolder } from '../../test/corpus/make/pdf.js';
import type { PdfCase } from '../../test/corpus/make/pdf-case.js';
import { prose, wrapped } from '../../test/corpus/make/pdf-draw.js';
import { isAsExpected, noScore, type Score, scoreOf, sumOf } from '../../test/corpus/pdf-score.js';
import { textPdf } from '../../test/import/pdf.js';
import { machineLine, table } from './machine.js';
import { temporaryDirectory } from './service.js';

interface Reading {
  /** null where the file was refused. */
  readonly text: string | null;
  readonly ms: number;
}
interface Readings {
  readonly files: readonly Reading[];
  readonly memoryMb: number | null;
}
type Engine = (files: readonly string[]) => Readings;

const line = z.object({ text: z.string().nullable(), ms: z.number() });
const lastLine = z.object({ memoryMb: z.number() });

/** The reader of a checkout that was built. */
function built(root: string): Engine {
  const module = join(root, 'dist/src/adapters/extract/pdf-text.js');
  const script = join(packageRoot, 'dist/ops/bench/pdf-reader.js');
  return (files) => {
    const out = execFileSync(process.execPath, [script, module, ...files], { encoding: 'utf8', maxBuffer: 2 ** 30 });
    const lines = out
      .trimEnd()
      .split('\n')
      .map((text): unknown => JSON.parse(text));
    return { files: lines.slice(0, -1).map((one) => line.parse(one)), memoryMb: lastLine.parse(lines.at(-1)).memoryMb };
  };
}

/** pdftotext of poppler-utils, with a process for each file. */
const poppler: Engine = (files) => ({
  files: files.map((file) => {
    const from = performance.now();
    const { status, stdout } = spawnSync('pdftotext', ['-q', file, '-'], { encoding: 'utf8', maxBuffer: 2 ** 30 });
    // It marks the direction of Hebrew and Arabic with characters that no one sees.
    const text = stdout.replace(/[\f\u200e\u200f\u202a-\u202e]/g, '');
    return { text: status === 0 ? text : null, ms: performance.now() - from };
  }),
  memoryMb: null,
});

const hasPoppler = () => spawnSync('pdftotext', ['-v']).error === undefined;
const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

/**
 * The texts that were read from the corpus of PDFs beside those that are expected: words, precision, neighbours, glued words, time
 * and memory. @param others further checkouts with a build, such as that of the version before
 */
export async function benchPdf(others: readonly string[]): Promise<void> {
  const store = temporaryDirectory();
  try {
    const book = join(store.path, 'book.pdf');
    writeFileSync(book, textPdf(Array.from({ length: 352 }, (_, page) => wrapped(prose(330, 47 * page), 460))));
    const engines: [string, Engine][] = [
      ['this build', built(packageRoot)],
      ...others.map((root): [string, Engine] => [root, built(resolve(root))]),
      ...(hasPoppler() ? ([['pdftotext', poppler]] satisfies [string, Engine][]) : []),
    ];
    const corpus = pdfCorpus();
    const measured = engines.map(([name, engine]) => ({
      name,
      corpus: readCorpus(engine, corpus),
      book: engine([book]),
    }));
    console.log(
      table([[machineLine()], [], ...measured.flatMap(({ corpus: all, name }) => perFile(name, all, corpus))]),
    );
    console.log(table([[], heads, ...measured.map((one) => summary(one, corpus))]));
  } finally {
    store.remove();
  }
}

function readCorpus(engine: Engine, corpus: readonly PdfCase[]): Readings {
  return engine(corpus.map(({ name }) => join(pdfFolder, `${name}.pdf`)));
}

const heads = [
  'engine',
  'as expected',
  'words kept',
  'precision',
  'neighbours',
  'glued',
  'ms a file',
  'MiB',
  'book of 352 pages',
  'MiB',
];

const scoreFor = ({ expected }: PdfCase, { text }: Reading): Score =>
  'refused' in expected ? noScore : scoreOf(expected.text, text ?? '');

/** Whether the words are those expected. Only this project separates cells by tabs, so they count as blanks here. */
function isRight({ expected }: PdfCase, { text }: Reading): boolean {
  if ('refused' in expected) return (text ?? '').trim() === '';
  return text !== null && isAsExpected(expected.text, text, expected.compare === 'cells' ? 'words' : expected.compare);
}

/** A row for each file that was not read as expected. */
function perFile(engine: string, { files }: Readings, corpus: readonly PdfCase[]): (string | number)[][] {
  return corpus.flatMap((one, at) => {
    const reading = files[at] ?? { text: null, ms: 0 };
    if (isRight(one, reading)) return [];
    const { kept, expected, read, pairs, pairsMatched, glued } = scoreFor(one, reading);
    const counts = `words ${kept} of ${expected}, read ${read}, neighbours ${pairsMatched} of ${pairs}, glued ${glued}`;
    return [[engine, one.name, 'refused' in one.expected ? `not refused: ${one.expected.refused}` : counts]];
  });
}

interface Measured {
  readonly name: string;
  readonly corpus: Readings;
  readonly book: Readings;
}

function summary({ name, corpus: readings, book }: Measured, corpus: readonly PdfCase[]): (string | number)[] {
  const read = corpus.map((one, at) => ({ one, reading: readings.files[at] ?? { text: null, ms: 0 } }));
  const sum = sumOf(read.map(({ one, reading }) => scoreFor(one, reading)));
  const ms = read.reduce((all, { reading }) => all + reading.ms, 0) / Math.max(1, read.length);
  return [
    name,
    `${read.filter(({ one, reading }) => isRight(one, reading)).length} of ${read.length}`,
    percent(sum.kept, sum.expected),
    percent(sum.kept, sum.read),
    percent(sum.pairsMatched, sum.pairs),
    sum.glued,
    ms.toFixed(1),
    readings.memoryMb?.toFixed(0) ?? '',
    `${book.files[0]?.ms.toFixed(0)} ms`,
    book.memoryMb?.toFixed(0) ?? '',
  ];
}
