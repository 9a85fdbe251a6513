import type { PdfCase } from './pdf-case.js';
import { at, byLetters, endAt, literal, prose, rule, widthOf, wrapped } from './pdf-draw.js';
import { drawnPdf } from './pdf-writer.js';

type Rows = readonly (readonly string[])[];

const people: Rows = [
  ['Name', 'Region', 'Units', 'Amount'],
  ['Karl', 'EAST', '12', '4,711.02'],
  ['Jens', 'NORTH', '7', '19.30'],
  ['Ines', 'SOUTH WEST', '140', '27.15'],
  ['Oda', 'WEST', '3', '1,002.90'],
];
const gaps: Rows = [
  ['Item', 'Monday', 'Tuesday', 'Total'],
  ['Bread', '4', '', '4'],
  ['', '11', '2', '13'],
  ['Milk', '', '', '0'],
];
/** Where the cells of each column begin, and whether they end there instead. */
const wide = [72, 200, 320, 420];
/** Columns that are so near to each other that the widest cells almost touch. */
const narrow = [72, 94, 160, 175];

interface Layout {
  readonly columns?: readonly number[];
  /** The columns whose cells end at the place of the column, as numbers do. */
  readonly ending?: readonly number[];
  readonly top?: number;
}

/** A drawing for each cell that is not empty, with where it stands. */
function cells(rows: Rows, { columns = wide, ending = [], top = 700 }: Layout = {}) {
  return rows.flatMap((row, r) =>
    row.flatMap((text, c) => {
      if (text === '') return [];
      const draw = ending.includes(c) ? endAt : at;
      return [{ r, c, text: draw(columns[c] ?? 0, top - 16 * r, text) }];
    }),
  );
}
type Cell = ReturnType<typeof cells>[number];
const drawn = (all: readonly Cell[], order: (a: Cell, b: Cell) => number) =>
  [...all]
    .sort(order)
    .map(({ text }) => text)
    .join('');

const byRow = (a: Cell, b: Cell) => a.r - b.r || a.c - b.c;
const byRowBackwards = (a: Cell, b: Cell) => a.r - b.r || b.c - a.c;
const byColumn = (a: Cell, b: Cell) => a.c - b.c || a.r - b.r;
const byColumnBackwards = (a: Cell, b: Cell) => b.c - a.c || a.r - b.r;
const fromBelow = (a: Cell, b: Cell) => b.r - a.r || a.c - b.c;

const text = (rows: Rows) => rows.map((row) => row.filter((cell) => cell !== '').join('\t')).join('\n');
const table = (name: string, draw: string, expected: string): PdfCase => ({
  name: `table-${name}`,
  bytes: drawnPdf(draw),
  expected: { text: expected, compare: 'cells' },
});

const grid = [714, 698, 682, 666, 650, 634].map((y) => rule(68, y, 480, y)).join('');
const bars = [68, 196, 316, 416, 480].map((x) => rule(x, 714, x, 634)).join('');

/** Cells whose columns end at their place: the numbers of a bill. */
const bill: Layout = { columns: [72, 200, 360, 440], ending: [2, 3] };
/** The widest amounts end 4 points before the next cell begins. */
const dense: Rows = [
  ['19.30', '27.15', 'NOR', 'Jens'],
  ['4,711.02', '300.00', 'EAST', 'Karl'],
  ['8.00', '1,250.75', 'SW', 'Ines'],
];
const denseLayout: Layout = { columns: [112, 156, 160, 192], ending: [0, 1] };

/** All cells of a row in one operator, with the gaps as numbers. */
function rowsInOne(rows: Rows): string {
  return rows
    .map((row, r) => {
      const parts = row.map((cell, c) => {
        const gap = (wide[c + 1] ?? 0) - (wide[c] ?? 0) - widthOf(cell, 10);
        return c === row.length - 1 ? literal(cell) : `${literal(cell)} ${Math.round(-gap * 100)}`;
      });
      return `BT /F1 10 Tf 72 ${700 - 16 * r} Td [${parts.join(' ')}] TJ ET\n`;
    })
    .join('');
}

/** A row between texts, one of whose cells needs two lines. */
function withText(): PdfCase {
  const before = wrapped(prose(30), 440);
  const after = wrapped(prose(30, 9), 440);
  const rows = cells(people, { top: 620 });
  const draw = [
    ...before.map((line, n) => at(72, 700 - 12 * n, line)),
    ...rows.map((cell) => cell.text),
    ...after.map((line, n) => at(72, 520 - 12 * n, line)),
  ];
  return table('in-text', draw.join(''), [...before, text(people), ...after].join('\n'));
}

/** Cells of one line stand in the middle beside those of two lines. */
function middle(): string {
  const rows = [
    { y: 700, name: ['Rope of braided', 'nylon, 10 mm'], others: ['12', '3.20', '38.40'] },
    { y: 660, name: ['Shackle'], others: ['2', '14.95', '29.90'] },
    { y: 620, name: ['Lantern with a spare', 'glass and wick'], others: ['1', '80.00', '80.00'] },
  ];
  const draw = ({ y, name, others }: (typeof rows)[number]) =>
    name.map((line, n) => at(72, y + 6 * (name.length - 1) - 12 * n, line)).join('') +
    others.map((cell, n) => at(220 + 80 * n, y, cell)).join('');
  return rows.map(draw).join('');
}
const wrappedText =
  'Rope of braided nylon, 10 mm\t12\t3.20\t38.40\nShackle\t2\t14.95\t29.90\nLantern with a spare glass and wick\t1\t80.00\t80.00';

function letters(): string {
  const one = (row: readonly string[], r: number) =>
    row.map((cell, c) => byLetters(wide[c] ?? 0, 700 - 16 * r, cell)).reverse();
  return people.flatMap(one).join('');
}

export function tables(): PdfCase[] {
  const all = cells(people);
  return [
    table('by-rows', drawn(all, byRow), text(people)),
    table('by-rows-backwards', drawn(all, byRowBackwards), text(people)),
    table('by-columns', drawn(all, byColumn), text(people)),
    table('by-columns-backwards', drawn(all, byColumnBackwards), text(people)),
    table('from-below', drawn(all, fromBelow), text(people)),
    table('ruled', grid + bars + drawn(all, byRow), text(people)),
    table('ruled-backwards', drawn(all, byRowBackwards) + grid + bars, text(people)),
    table('ruled-by-columns', grid + bars + drawn(all, byColumn), text(people)),
    table('numbers', drawn(cells(people, bill), byRow), text(people)),
    table('numbers-backwards', drawn(cells(people, bill), byRowBackwards), text(people)),
    table('numbers-by-columns', drawn(cells(people, bill), byColumn), text(people)),
    table('empty-cells', drawn(cells(gaps), byRow), text(gaps)),
    table('empty-cells-backwards', drawn(cells(gaps), byRowBackwards), text(gaps)),
    table('empty-cells-by-columns', drawn(cells(gaps), byColumn), text(gaps)),
    {
      ...table('dense', drawn(cells(dense, denseLayout), byRow), text(dense)),
      expected: { text: text(dense), compare: 'words' },
    },
    {
      ...table('dense-backwards', drawn(cells(dense, denseLayout), byRowBackwards), text(dense)),
      expected: { text: text(dense), compare: 'words' },
    },
    table('one-operator', rowsInOne(people), text(people)),
    table('by-letters-backwards', letters(), text(people)),
    withText(),
    table('cells-of-two-lines', middle(), wrappedText),
    {
      ...table('narrow', drawn(cells(narrowRows, { columns: narrow }), byRowBackwards), text(narrowRows)),
      expected: { text: text(narrowRows), compare: 'words' },
    },
  ];
}

const narrowRows: Rows = [
  ['17', 'Lagerhalle', '5', 'kg'],
  ['18', 'Werft', '12', 'kg'],
  ['19', 'Kai', '7', 't'],
];
