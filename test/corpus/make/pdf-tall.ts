import type { PdfCase } from './pdf-case.js';
import { at, endAt, prose, wrapped } from './pdf-draw.js';
import { drawnPdf } from './pdf-writer.js';

type Cells = readonly (readonly string[])[];

const head = ['Item', 'Use', 'Count', 'Price'];
const goods: Cells = [
  ['Rope of braided nylon, ten millimetres thick', 'Towing and mooring of boats up to nine tons', '12', '38.40'],
  ['Shackle', 'Fastening chains', '2', '29.90'],
  ['Lantern with a spare glass and a wick', 'Light on deck', '1', '80.00'],
  ['Paint', 'Hulls above the water line, not below it and not on copper', '4', '44.00'],
  ['Copper window frame with hinges', 'Cabins', '3', '120.00'],
];
const texts: Cells = [0, 7, 15, 26].map((start) => [
  prose(14 + (start % 5), start),
  prose(9 + (start % 7), start + 40),
]);

interface Layout {
  readonly columns: readonly number[];
  readonly widths: readonly number[];
  /** The distance of the rows beyond that of their lines. */
  readonly padding: number;
  readonly order: 'cells' | 'lines' | 'cells backwards';
  /** The columns whose texts end at their place. */
  readonly ending?: readonly number[];
  readonly leading?: number;
  readonly top?: number;
}

/** Draws a table whose cells have the lines that their texts need, and begin at the same height. */
function tall(rows: Cells, layout: Layout): string {
  const { columns, widths, padding, order, ending = [], leading = 12, top = 700 } = layout;
  let y = top;
  const draws: string[] = [];
  for (const row of rows) {
    const cells = row.map((text, c) => wrapped(text, widths[c] ?? 0));
    const drawn = cells.map((lines, c) =>
      lines.map((line, n) => (ending.includes(c) ? endAt : at)(columns[c] ?? 0, y - n * leading, line)),
    );
    const most = Math.max(...cells.map(({ length }) => length));
    if (order === 'cells') draws.push(...drawn.flat());
    else if (order === 'cells backwards') draws.push(...[...drawn].reverse().flat());
    else for (let n = 0; n < most; n += 1) draws.push(...drawn.map((lines) => lines[n] ?? ''));
    y -= most * leading + padding;
  }
  return draws.join('');
}

const text = (rows: Cells) => rows.map((row) => row.filter((cell) => cell !== '').join('\t')).join('\n');
const table = (name: string, draw: string, said: string): PdfCase => ({
  name: `table-tall-${name}`,
  bytes: drawnPdf(draw),
  expected: { text: said, compare: 'cells' },
});

const wide = { columns: [72, 200, 340, 400], widths: [110, 125, 40, 60] };
const tight = { columns: [72, 184, 318, 358], widths: [107, 128, 36, 60] };
const halves = { columns: [72, 316], widths: [225, 220] };
const ends = { columns: [72, 200, 370, 440], widths: [110, 125, 40, 60], ending: [2, 3] };

/** Commands with notes beside some of them: the command without one is no second line of the one above. */
const code: Cells = [
  ['set term wxt 123', '# create the first window'],
  ['plot north'],
  ['set term wxt 456', '# create the second window'],
  ['plot south, east'],
];
const drawnPdfText = (rows: Cells) =>
  rows.flatMap((row, r) => row.map((cell, c) => at(72 + 95 * c, 700 - 12 * r, cell))).join('');

/** Short tables with one line in each row, dense or with empty cells, which are no rows of several lines. */
function plain(): PdfCase[] {
  const crew: Cells = [
    ['Oda Harms', 'cook', 'Emden'],
    ['Ines Luers', '', 'Leer'],
    ['Jens Behn', 'mate', ''],
  ];
  const more: Cells = [
    ['Karl Ott', 'stoker', 'Norden'],
    ['Bo Ek', '', 'Varel'],
    ['Ada Lund', 'pilot', 'Jever'],
  ];
  const place = { columns: [72, 134, 190], widths: [200, 200, 200], padding: 0 };
  const byColumns = (rows: Cells, top: number) =>
    place.columns.map((x, c) => rows.map((row, n) => (row[c] ? at(x, top - 12 * n, row[c]) : '')).join('')).join('');
  const both = text([...crew, ...more]);
  return [
    table(
      'none-by-rows',
      tall(crew, { ...place, order: 'lines' }) + tall(more, { ...place, order: 'lines', top: 640 }),
      both,
    ),
    table('none-by-columns', byColumns(crew, 700) + byColumns(more, 640), both),
    table('none-alone', byColumns(crew, 700), text(crew)),
  ];
}

export function tallTables(): PdfCase[] {
  const all = [head, ...goods];
  const said = text(all);
  const before = wrapped(prose(30), 440);
  const inText = before.map((line, n) => at(72, 750 - 12 * n, line)).join('');
  return [
    table('padded', tall(all, { ...wide, padding: 8, order: 'cells' }), said),
    table('padded-by-lines', tall(all, { ...wide, padding: 8, order: 'lines' }), said),
    table('padded-backwards', tall(all, { ...wide, padding: 8, order: 'cells backwards' }), said),
    table('padded-little', tall(all, { ...wide, padding: 2, order: 'cells' }), said),
    table('even', tall(all, { ...wide, padding: 0, order: 'cells' }), said),
    table('tight', tall(all, { ...tight, padding: 6, order: 'cells' }), said),
    table('tight-by-lines', tall(all, { ...tight, padding: 6, order: 'lines' }), said),
    table('numbers', tall(all, { ...ends, padding: 6, order: 'cells' }), said),
    table('numbers-even', tall(all, { ...ends, padding: 0, order: 'cells' }), said),
    table('wide-lines', tall(all, { ...wide, padding: 10, order: 'cells', leading: 14 }), said),
    table('texts', tall(texts, { ...halves, padding: 8, order: 'cells' }), text(texts)),
    table('texts-by-lines', tall(texts, { ...halves, padding: 8, order: 'lines' }), text(texts)),
    table('texts-even', tall(texts, { ...halves, padding: 0, order: 'cells' }), text(texts)),
    table(
      'below-text',
      inText + tall(all, { ...wide, padding: 6, order: 'cells', top: 680 }),
      `${before.join('\n')}\n${said}`,
    ),
    table('none-in-code', drawnPdfText(code), code.map((row) => row.join('\t')).join('\n')),
    ...plain(),
  ];
}
