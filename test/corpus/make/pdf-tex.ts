import { type PdfCase, words } from './pdf-case.js';
import { at, literal, widthOf } from './pdf-draw.js';
import { createDraft, drawnPdf } from './pdf-writer.js';

/** Accents and letters without a dot, as the older fonts of TeX have them: codes of the font F5 of these files. */
const accents = {
  '\u0300': '\x01',
  '\u0301': '\x02',
  '\u0302': '\x03',
  '\u0303': '\x04',
  '\u0308': '\x05',
  '\u030a': '\x06',
  '\u030c': '\x07',
  '\u0327': '\x0e',
  '\u0328': '\x0f',
  '\u0304': '\x10',
  '\u0306': '\x11',
} as const;
const dotlessI = '\x12';
const names = '1 /grave /acute /circumflex /tilde /dieresis /ring /caron 14 /cedilla /ogonek /macron /breve /dotlessi';
const isAccent = (mark: string): mark is keyof typeof accents => mark in accents;

type Order = 'accent first' | 'letter first' | 'accents last';

/** A line in which every letter with an accent is drawn in two steps. */
function accented(text: string, y: number, order: Order): string {
  let x = 72;
  const late: string[] = [];
  const made = [...text].map((letter) => {
    const [base = '', mark = ''] = [...letter.normalize('NFD')];
    const left = x;
    x += widthOf(base, 10);
    if (!isAccent(mark)) return at(left, y, letter);
    const high = base === base.toUpperCase() && mark !== '\u0327' && mark !== '\u0328' ? 2 : 0;
    const accent = at(left + (widthOf(base, 10) - 3.33) / 2, y + high, accents[mark], { font: 'F5' });
    const drawn = at(left, y, base === 'i' ? dotlessI : base, { font: 'F5' });
    if (order === 'accents last') late.push(accent);
    return order === 'letter first' ? drawn + accent : order === 'accent first' ? accent + drawn : drawn;
  });
  return made.join('') + late.join('');
}

/** As TeX does it: everything in one operator, with moves back. */
function accentedInOne(text: string, y: number): string {
  const parts = [...text].map((letter) => {
    const [base = '', mark = ''] = [...letter.normalize('NFD')];
    if (!isAccent(mark)) return literal(letter);
    const width = widthOf(base, 1000);
    const back = (width - 333) / 2;
    return `${-back} ${literal(accents[mark])} ${back + 333} ${literal(base === 'i' ? dotlessI : base)}`;
  });
  return `BT /F5 10 Tf 72 ${y} Td [${parts.join(' ')}] TJ ET\n`;
}

function accentFiles(): PdfCase[] {
  const rows = [
    'Die M\u00fcller s\u00e4en \u00fcber \u00c4ckern',
    'gar\u00e7on, na\u00efve, \u00e9t\u00e9 \u00e0 l\u2019\u00e2ge',
    'A\u00f1o de \u010capek, \u00c5rhus, m\u0105\u017c',
  ];
  const said = rows.map((row) => row.replace('\u2019', "'").replace('\u017c', 'z'));
  const file = (name: string, draw: (row: string, y: number) => string) => {
    const draft = createDraft();
    const encoding = `<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [${names}] >>`;
    draft.resource('Font', draft.add(`<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding ${encoding} >>`));
    draft.page(said.map((row, n) => draw(row, 700 - 14 * n)).join(''));
    return words(name, draft.bytes(), said.join('\n'));
  };
  return [
    file('accents-before-letters', (row, y) => accented(row, y, 'accent first')),
    file('accents-after-letters', (row, y) => accented(row, y, 'letter first')),
    file('accents-after-lines', (row, y) => accented(row, y, 'accents last')),
    file('accents-in-one', accentedInOne),
    words('accents-beside-letters', drawnPdf(at(72, 700, 'x = `date` ~/bin a^b 5\xb4')), 'x = `date` ~/bin a^b 5\xb4'),
  ];
}

/** Titles, dots in equal distances up to the page, and the page. @param grid whether the dots of all lines are below each other */
function leaders(titles: readonly string[], pitch: number, grid: boolean): string {
  return titles
    .map((title, n) => {
      const y = 700 - 14 * n;
      const end = 72 + widthOf(title, 10);
      const first = grid ? 72 + Math.ceil((end - 72) / pitch) * pitch : end;
      const dots = Array.from({ length: Math.floor((380 - first) / pitch) }, (_, i) => at(first + i * pitch, y, '.'));
      return at(72, y, title) + dots.join('') + at(400, y, String(7 * n + 1));
    })
    .join('');
}

const titles = ['Harbours', 'Lanterns of the north', 'Ferries, etc', 'Bridges in summer'];
/** The expected dots: as many as were drawn. */
function leadersText(pitch: number, grid: boolean, between: string): string {
  return titles
    .map((title, n) => {
      const width = widthOf(title, 10);
      const first = grid ? 72 + Math.ceil(width / pitch) * pitch : 72 + width;
      const count = Math.floor((380 - first) / pitch);
      return `${title} ${Array.from({ length: count }, () => '.').join(between)} ${7 * n + 1}`;
    })
    .join('\n');
}

function leaderFiles(): PdfCase[] {
  const typed = titles.map((title, n) => `${title}${'.'.repeat(40 - title.length)}${n + 3}`);
  const spaced = titles.map((title, n) => `${title}${' .'.repeat(30 - title.length)} ${n + 3}`);
  const short = ['A very long title that ends near its page. . . 12', 'He said . . . and went. Wait... what?'];
  return [
    words('leaders-grid', drawnPdf(leaders(titles, 4.43, true)), leadersText(4.43, true, ' ')),
    words('leaders-after-titles', drawnPdf(leaders(titles, 5, false)), leadersText(5, false, ' ')),
    words(
      'leaders-typed',
      drawnPdf(typed.map((row, n) => at(72, 700 - 14 * n, row)).join('')),
      typed.map((row) => row.replace(/\.+/, ' $& ')).join('\n'),
    ),
    words(
      'leaders-typed-apart',
      drawnPdf(spaced.map((row, n) => at(72, 700 - 14 * n, row)).join('')),
      spaced.join('\n'),
    ),
    words(
      'leaders-short',
      drawnPdf(short.map((row, n) => at(72, 700 - 14 * n, row)).join('')),
      short.join('\n').replace('page. .', 'page . .'),
    ),
    words(
      'leaders-to-write-on',
      drawnPdf(at(72, 700, `Name:${'_'.repeat(20)}Date:${'_'.repeat(12)}`)),
      `Name: ${'_'.repeat(20)} Date: ${'_'.repeat(12)}`,
    ),
  ];
}

/** A part of a line: its text, how much it is raised in points, its size, and how much it is moved to the right. */
type Part = readonly [text: string, rise?: number, size?: number, move?: number];

/** Draws parts one after the other, as TeX sets formulas and logos. @param order of drawing */
function parts(y: number, all: readonly Part[], isBackwards = false): string {
  let x = 72;
  const made = all.map(([text, rise = 0, size = 10, move = 0]) => {
    const left = x + move;
    x = left + widthOf(text, size);
    return at(left, y + rise, text, { size });
  });
  return (isBackwards ? made.reverse() : made).join('');
}

const logo = (y: number, isBackwards = false) =>
  parts(
    y,
    [
      ['Set with L'],
      ['A', 2.1, 7, -3.6],
      ['T', 0, 10, -1.5],
      ['E', -2.2, 10, -1.7],
      ['X', 0, 10, -1.3],
      [' and T'],
      ['E', -2.2, 10, -1.7],
      ['X', 0, 10, -1.3],
      [' by hand'],
    ],
    isBackwards,
  );
const chemistry = (y: number) =>
  parts(y, [
    ['Water is H'],
    ['2', -1.5, 7],
    ['O, acid is H', 0, 10, 0.5],
    ['2', -1.5, 7],
    ['SO', 0, 10, 0.5],
    ['4', -1.5, 7],
    ['.', 0, 10, 0.5],
  ]);
const powers = (y: number) =>
  parts(y, [
    ['The sum x'],
    ['n+1', -1.5, 7],
    [' + y', 0, 10, 0.5],
    ['2', 3.6, 7],
    [' holds for e', 0, 10, 0.5],
    ['x', 3.6, 7],
    ['2', 6.2, 5, 0.3],
    [' too', 0, 10, 0.5],
  ]);
const lists = (y: number) =>
  parts(y, [['As others say'], ['3,', 3.6, 7], ['14,', 3.6, 7, 1.2], ['27', 3.6, 7, 1.2], [' it runs.']]);
const below = (y: number) => at(72, y, 'The line below has nothing of this in it.');

/** @param leading the distance of lines: in dense texts, raised letters are near to the line above */
function scriptLines(leading: number): string {
  return [below, logo, chemistry, powers, lists, below].map((draw, n) => draw(700 - leading * n)).join('');
}
const scripts = [
  'The line below has nothing of this in it.',
  'Set with LATEX and TEX by hand',
  'Water is H2O, acid is H2SO4.',
  'The sum xn+1 + y2 holds for ex2 too',
  'As others say3, 14, 27 it runs.',
  'The line below has nothing of this in it.',
].join('\n');

function scriptFiles(): PdfCase[] {
  return [
    words('scripts-in-lines', drawnPdf(scriptLines(12)), scripts),
    words('scripts-in-dense-lines', drawnPdf(scriptLines(10.5)), scripts),
    words('scripts-in-wide-lines', drawnPdf(scriptLines(18)), scripts),
    words('scripts-one-line', drawnPdf(logo(700)), scripts.split('\n')[1] ?? ''),
    words('scripts-backwards', drawnPdf(logo(700, true)), scripts.split('\n')[1] ?? ''),
    words('scripts-title', drawnPdf(`q 2 0 0 2 -60 -700 cm ${logo(700)}Q`), scripts.split('\n')[1] ?? ''),
  ];
}

/** Files as TeX makes them: accents beside their letters, dots between titles and pages, raised and lowered letters. */
export const tex = (): PdfCase[] => [...accentFiles(), ...leaderFiles(), ...scriptFiles()];
