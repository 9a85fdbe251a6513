import { type PdfCase, words } from './pdf-case.js';
import { at, lines, prose, widthOf, wrapped } from './pdf-draw.js';
import { drawnPdf } from './pdf-writer.js';

const leading = 12;
const title = 'A report about the harbours of the north';
const titleDraw = at((612 - widthOf(title, 18)) / 2, 740, title, { size: 18 });
/** Columns are this wide, and begin at these places. */
const two = { width: 220, at: [72, 320] };
const three = { width: 140, at: [60, 220, 380] };

interface Columns {
  readonly width: number;
  readonly at: readonly number[];
}

/** The lines of each column, with as many words as are given for each. */
const filled = ({ width }: Columns, counts: readonly number[]) =>
  counts.map((count, n) => wrapped(prose(count, 40 * n), width));

/** @param shift how much lower each column begins than the one before */
const inOrder = (columns: Columns, texts: readonly (readonly string[])[], top: number, shift = 0) =>
  texts.map((text, n) => lines(columns.at[n] ?? 0, top - n * shift, text, leading)).join('');

const ports = [
  ['Port', 'Ships', 'Tons'],
  ['Emden', '17', '12,904'],
  ['Norden', '4', '981'],
  ['Leer', '11', '7,310'],
];
const beside = () => filled(two, [150, 90]);

/** Two columns, the second of which begins with a table. Its rows are higher than the lines of the first. */
function withTable(): string {
  const [left = [], right = []] = beside();
  const cells = ports.flatMap((row, r) => row.map((cell, c) => at(325 + 60 * c, 700 - 17 * r, cell)));
  return lines(72, 700, left, leading) + cells.join('') + lines(320, 625, right, leading);
}

function withTableText(): string {
  const [left = [], right = []] = beside();
  return [left, ports.map((row) => row.join('\t')), right].map((part) => part.join('\n')).join('\n\n');
}

/** Draws the first lines of all columns, then the second ones, and so on. */
function across(columns: Columns, texts: readonly (readonly string[])[], top: number): string {
  const most = Math.max(...texts.map((text) => text.length));
  return Array.from({ length: most }, (_, n) =>
    texts
      .map((text, c) => (text[n] === undefined ? '' : at(columns.at[c] ?? 0, top - n * leading, text[n] ?? '')))
      .join(''),
  ).join('');
}

const joined = (texts: readonly (readonly string[])[]) => texts.map((text) => text.join('\n')).join('\n\n');

export function columns(): PdfCase[] {
  const pair = filled(two, [160, 160]);
  const uneven = filled(two, [160, 70]);
  const triple = filled(three, [120, 120, 120]);
  const notes = ['1 The ferry no longer runs in winter.', '2 Counted in the year before.'];
  const notesDraw = lines(72, 90, notes, 9, { size: 7 });
  const below = wrapped(prose(60, 200), 460);
  const belowDraw = lines(72, 400, below, leading);
  const short = filled(two, [80, 80]);
  return [
    words('columns-two', drawnPdf(inOrder(two, pair, 700)), joined(pair)),
    words('columns-two-across', drawnPdf(across(two, pair, 700)), joined(pair)),
    words('columns-two-title', drawnPdf(titleDraw + inOrder(two, pair, 700)), `${title}\n\n${joined(pair)}`),
    words('columns-two-title-across', drawnPdf(titleDraw + across(two, pair, 700)), `${title}\n\n${joined(pair)}`),
    words('columns-two-title-last', drawnPdf(inOrder(two, pair, 700) + titleDraw), `${title}\n\n${joined(pair)}`),
    words(
      'columns-two-footnotes',
      drawnPdf(inOrder(two, pair, 700) + notesDraw),
      `${joined(pair)}\n\n${notes.join('\n')}`,
    ),
    words(
      'columns-two-footnotes-across',
      drawnPdf(across(two, pair, 700) + notesDraw),
      `${joined(pair)}\n\n${notes.join('\n')}`,
    ),
    words('columns-three', drawnPdf(inOrder(three, triple, 700)), joined(triple)),
    words('columns-three-across', drawnPdf(across(three, triple, 700)), joined(triple)),
    words('columns-uneven', drawnPdf(inOrder(two, uneven, 700)), joined(uneven)),
    words('columns-uneven-across', drawnPdf(across(two, uneven, 700)), joined(uneven)),
    words('columns-shifted', drawnPdf(inOrder(two, pair, 700, 5)), joined(pair)),
    words('columns-with-table', drawnPdf(withTable()), withTableText()),
    words('columns-right-first', drawnPdf(inOrder(two, pair, 700).split('\n').reverse().join('\n')), joined(pair)),
    words('columns-then-one', drawnPdf(across(two, short, 700) + belowDraw), `${joined(short)}\n\n${below.join('\n')}`),
  ];
}
