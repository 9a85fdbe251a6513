import { type PdfCase, words } from './pdf-case.js';
import { at, prose, widthOf, wrapped } from './pdf-draw.js';
import { drawnPdf } from './pdf-writer.js';

type Pairs = readonly (readonly [label: string, value: string])[];

const seller: Pairs = [
  ['Name:', 'Oda Harms'],
  ['Street:', 'Kaistrasse 5'],
  ['Town:', 'Emden'],
  ['Phone:', '04921 7710'],
  ['VAT no.:', 'DE 811 220'],
];
const bill: Pairs = [
  ['Invoice:', '2024-117'],
  ['Date:', '3 May 2024'],
  ['Due:', '17 May 2024'],
  ['Customer:', '4711'],
];
const bank: Pairs = [
  ['Bank:', 'Leer Savings'],
  ['Account:', '99 120 4'],
  ['Terms:', 'net 14'],
  ['Order:', 'K-88'],
  ['Clerk:', 'Ines'],
];
const plain = (pairs: Pairs): Pairs => pairs.map(([label, value]) => [label.replace(':', ''), value]);

interface Column {
  readonly pairs: Pairs;
  readonly x: number;
  readonly leading?: number;
  readonly top?: number;
  /** Where the values begin, behind the labels; without it they follow after a blank. */
  readonly values?: number | undefined;
}

/** A drawing for each row of a column. */
const rowsOf = ({ pairs, x, leading = 14, top = 700, values }: Column): string[] =>
  pairs.map(([label, value], n) =>
    values === undefined
      ? at(x, top - leading * n, `${label} ${value}`)
      : at(x, top - leading * n, label) + at(x + values, top - leading * n, value),
  );

const byColumns = (...columns: readonly Column[]) => columns.flatMap(rowsOf).join('');
function across(...columns: readonly Column[]): string {
  const all = columns.map(rowsOf);
  return Array.from({ length: Math.max(...all.map((rows) => rows.length)) }, (_, n) =>
    all.map((rows) => rows[n] ?? '').join(''),
  ).join('');
}
/** First all labels of a column, then all of its values. */
const byLabels = (...columns: readonly Column[]) =>
  columns
    .map(({ pairs, x, values = 70 }) =>
      [0, 1]
        .map((part) => pairs.map((pair, n) => at(x + part * values, 700 - 14 * n, pair[part] ?? '')).join(''))
        .join(''),
    )
    .join('');

const said = (...columns: readonly Pairs[]) =>
  columns.map((pairs) => pairs.map((pair) => pair.join('\t')).join('\n')).join('\n\n');

const left: Column = { pairs: seller, x: 72, values: 60 };
const right: Column = { pairs: bill, x: 320, values: 70 };
const third: Column = { pairs: bank, x: 430, values: 55 };

const goods = [
  ['Item', 'Count', 'Price', 'Sum'],
  ['Rope of nylon', '12', '3.20', '38.40'],
  ['Shackle', '2', '14.95', '29.90'],
  ['Lantern', '1', '80.00', '80.00'],
  ['Paint', '4', '11.00', '44.00'],
];
const goodsDraw = goods.flatMap((row, r) => row.map((cell, c) => at(72 + 110 * c, 590 - 14 * r, cell))).join('');
const goodsText = goods.map((row) => row.join('\t')).join('\n');

/** An index: a title, dots and a page in each row of two columns. */
function index(order: typeof byColumns | typeof across, shift = 0): string {
  const entry = (word: string, n: number) => {
    const room = 220 - widthOf(word, 10) - 14;
    return [`${word} ${'. '.repeat(Math.floor(room / 5.56))}`, String(n)] as const;
  };
  const names = prose(60).replace(/[.,]/g, '').split(' ');
  const column = (from: number): Pairs =>
    Array.from({ length: 12 }, (_, n) => entry(`${names[from + n] ?? ''}_${names[from + n + 3] ?? ''}`, from + n));
  return order({ pairs: column(0), x: 72, leading: 12 }, { pairs: column(20), x: 320, leading: 12, top: 700 - shift });
}
function indexText(): string {
  const names = prose(60).replace(/[.,]/g, '').split(' ');
  return [0, 20]
    .flatMap((from) =>
      Array.from({ length: 12 }, (_, n) => {
        const word = `${names[from + n] ?? ''}_${names[from + n + 3] ?? ''}`;
        return `${word} ${'. '.repeat(Math.floor((220 - widthOf(word, 10) - 14) / 5.56))} ${from + n}`;
      }),
    )
    .join('\n');
}

const withHeads = (draw: string, first: string, second: string) => at(72, 714, first) + at(320, 714, second) + draw;

function wrappedValues(order: typeof byColumns): string {
  const address: Pairs = [
    ['Buyer:', 'Harbour office of Norden,'],
    ['', 'Am Hafen 1, second floor'],
    ['Ship:', 'Frisia'],
    ['Berth:', '17 West'],
  ];
  return order({ ...left, pairs: address }, right);
}

export function pairs(): PdfCase[] {
  const both = said(seller, bill);
  const wordy = wrapped(prose(40), 440);
  const shown = (draw: string, text = both) => [drawnPdf(draw), text] as const;
  const oneText = { ...left, values: undefined };
  const wrappedSaid = `Buyer: Harbour office of Norden, Am Hafen 1, second floor Ship: Frisia Berth: 17 West ${said(bill)}`;
  const mine = { ...left, pairs: plain(seller) };
  const theirs = { ...right, pairs: plain(bank) };
  return [
    words('pairs-two', ...shown(byColumns(left, right))),
    words('pairs-two-across', ...shown(across(left, right))),
    words('pairs-two-right-first', ...shown(byColumns(right, left))),
    words('pairs-two-by-labels', ...shown(byLabels(left, right))),
    words('pairs-other-leading', ...shown(byColumns(left, { ...right, leading: 17 }))),
    words('pairs-shifted', ...shown(across(left, { ...right, top: 695 }))),
    words('pairs-in-one-text', ...shown(byColumns(oneText, { ...right, values: undefined }))),
    words('pairs-in-one-text-across', ...shown(across(oneText, { ...right, values: undefined }))),
    words(
      'pairs-with-heads',
      ...shown(withHeads(byColumns(left, right), 'Seller', 'Bill'), `Seller\n${said(seller)}\n\nBill\n${said(bill)}`),
    ),
    words(
      'pairs-with-heads-across',
      ...shown(withHeads(across(left, right), 'Seller', 'Bill'), `Seller\n${said(seller)}\n\nBill\n${said(bill)}`),
    ),
    words(
      'pairs-three',
      ...shown(across({ ...left, values: 45 }, { ...right, x: 230, values: 60 }, third), said(seller, bill, bank)),
    ),
    words('pairs-wrapped-value', ...shown(wrappedValues(byColumns), wrappedSaid)),
    words('pairs-wrapped-value-across', ...shown(wrappedValues(across), wrappedSaid)),
    words('pairs-without-colons', ...shown(byColumns(mine, theirs), said(plain(seller), plain(bank)))),
    words('pairs-without-colons-right-first', ...shown(byColumns(theirs, mine), said(plain(seller), plain(bank)))),
    words(
      'pairs-without-colons-above-table',
      ...shown(byColumns(mine, theirs) + goodsDraw, `${said(plain(seller), plain(bank))}\n\n${goodsText}`),
    ),
    words('pairs-above-table', ...shown(across(left, right) + goodsDraw, `${both}\n\n${goodsText}`)),
    words(
      'pairs-below-text',
      ...shown(
        wordy.map((line, n) => at(72, 760 - 12 * n, line)).join('') + across(left, right),
        `${wordy.join('\n')}\n${both}`,
      ),
    ),
    words('index-two', ...shown(index(byColumns), indexText())),
    words('index-two-across', ...shown(index(across), indexText())),
    words('index-two-shifted', ...shown(index(byColumns, 5), indexText())),
  ];
}
