import { kept, type PdfCase, refused, words } from './pdf-case.js';
import { at, byLetters, inFont, lines, literal, prose, turned, widthOf, wrapped } from './pdf-draw.js';
import { createDraft, drawnFont, drawnPdf, unicodeFont } from './pdf-writer.js';

const bolds = ['Terms of the lease', 'A total of 4,711.02 is due', 'on the first of each month'];

/** Draws each line several times, each time a little further to the right. */
const overprinted = (times: number, offset: number) =>
  bolds.flatMap((text, n) => Array.from({ length: times }, (_, i) => at(72 + i * offset, 700 - 16 * n, text))).join('');

/** Draws each word, or each letter, twice before the next one. */
function twiceBy(split: RegExp): string {
  return bolds
    .flatMap((text, n) => {
      let x = 72;
      return text.split(split).flatMap((part) => {
        const left = x;
        x += widthOf(part, 10);
        return part.trim() === '' ? [] : [at(left, 700 - 16 * n, part), at(left + 0.3, 700 - 16 * n, part)];
      });
    })
    .join('');
}

function overprints(): PdfCase[] {
  const text = bolds.join('\n');
  const repeated = ['very very far, far away', '1111 2222 2222', 'no no no'];
  return [
    words('bold-twice', drawnPdf(overprinted(2, 0)), text),
    words('bold-twice-moved', drawnPdf(overprinted(2, 0.4)), text),
    words('bold-three-moved', drawnPdf(overprinted(3, 0.3)), text),
    words('bold-four-moved', drawnPdf(overprinted(4, 0.25)), text),
    words('bold-by-words', drawnPdf(twiceBy(/(?<=\s)/)), text),
    words('bold-by-letters', drawnPdf(twiceBy(/(?:)/)), text),
    words('bold-all-again', drawnPdf(overprinted(1, 0) + lines(72.4, 700, bolds, 16)), text),
    words('bold-shadow', drawnPdf(`0.7 g ${lines(73, 699, bolds, 16)} 0 g ${lines(72, 700, bolds, 16)}`), text),
    words('repeated-on-purpose', drawnPdf(lines(72, 700, repeated, 16)), repeated.join('\n')),
  ];
}

/** The gaps between words are numbers, and there is no blank. @param nudge a gap within words, which is none */
function gaps(text: string, nudge: number): string {
  const parts = text.split(' ').map((word) => [...word].map(literal).join(` ${nudge} `));
  return `[${parts.join(' -300 ')}] TJ`;
}

function spacing(): PdfCase[] {
  const text = 'The lantern at the ferry was repaired in 1987';
  const rows = [text, 'and painted with copper green'];
  const drawn = (one: (text: string, y: number) => string) =>
    drawnPdf(rows.map((row, n) => one(row, 700 - 14 * n)).join(''));
  const said = rows.join('\n');
  return [
    words(
      'letters-one-by-one',
      drawn((row, y) => byLetters(72, y, row)),
      said,
    ),
    words(
      'letters-nudged',
      drawn((row, y) => byLetters(72, y, row, 10, 0.35)),
      said,
    ),
    words(
      'letters-tight',
      drawn((row, y) => byLetters(72, y, row, 10, -0.35)),
      said,
    ),
    words(
      'letters-wide',
      drawn((row, y) => at(72, y, row, { before: '2 Tc' })),
      said,
    ),
    words(
      'letters-wide-heading',
      drawnPdf(at(72, 700, 'INVOICE', { before: '8 Tc' }) + at(72, 670, rows[0] ?? '')),
      `INVOICE\n${text}`,
    ),
    words(
      'gaps-as-blanks',
      drawn((row, y) => `BT /F1 10 Tf 72 ${y} Td ${gaps(row, 0)} ET\n`),
      said,
    ),
    words(
      'gaps-and-kerning',
      drawn((row, y) => `BT /F1 10 Tf 72 ${y} Td ${gaps(row, 40)} ET\n`),
      said,
    ),
    words(
      'gaps-and-wide-kerning',
      drawn((row, y) => `BT /F1 10 Tf 72 ${y} Td ${gaps(row, -60)} ET\n`),
      said,
    ),
    words('words-one-by-one', drawn(byWords), said),
    words(
      'words-backwards',
      drawn((row, y) => byWords(row, y).split('\n').reverse().join('\n')),
      said,
    ),
    words('sizes-mixed', drawnPdf(sizes()), 'Chapter 7 The quarry and 12 bridges'),
    words('small-caps', drawnPdf(smallCaps('The Harbour of Elbing', 700)), 'THE HARBOUR OF ELBING'),
    words('superscript', drawnPdf(raised('5', ' Ts')), 'The heron1 stands in 40 m2 of water'),
    words('superscript-far', drawnPdf(raised('3', ' Ts')), 'The heron1 stands in 40 m2 of water'),
    words('dots-to-numbers', drawnPdf(contents()), 'Harbours\t12\nLanterns\t34\nOrchards\t156'),
    words('flipped', drawnPdf(flipped(rows)), said),
    words(
      'scaled-matrix',
      drawnPdf(rows.map((row, n) => turned([10, 0, 0, 10, 72, 700 - 14 * n], row, { size: 1 })).join('')),
      said,
    ),
  ];
}

function byWords(row: string, y: number): string {
  const all = row.split(' ');
  return all
    .map((word, n) =>
      at(
        72 +
          widthOf(
            all
              .slice(0, n)
              .map((one) => `${one} `)
              .join(''),
            10,
          ),
        y,
        word,
      ),
    )
    .join('');
}

function sizes(): string {
  return at(72, 700, 'Chapter 7', { size: 24 }) + at(72 + widthOf('Chapter 7 ', 24), 700, 'The quarry and 12 bridges');
}

/** Capitals, of which those that stand for small letters are smaller. */
function smallCaps(text: string, y: number): string {
  const parts = [...text].map((letter) => {
    const small = letter !== letter.toUpperCase();
    return `/F1 ${small ? 9 : 12} Tf ${literal(letter.toUpperCase())} Tj`;
  });
  return `BT 72 ${y} Td ${parts.join(' ')} ET\n`;
}

function raised(rise: string, operator: string): string {
  const up = (text: string) => `/F1 6 Tf ${rise}${operator} ${literal(text)} Tj 0 Ts /F1 10 Tf`;
  return `BT /F1 10 Tf 72 700 Td (The heron) Tj ${up('1')} ( stands in 40 m) Tj ${up('2')} ( of water) Tj ET\n`;
}

/** A table of contents. The dots between a title and its page do not count as words. */
function contents(): string {
  const rows = [
    ['Harbours', '12'],
    ['Lanterns', '34'],
    ['Orchards', '156'],
  ];
  return rows.map(([title = '', page = ''], n) => at(72, 700 - 16 * n, title) + at(400, 700 - 16 * n, page)).join('');
}

/** The whole page is upside down, and so is the matrix of its text: browsers print in this way. */
function flipped(rows: readonly string[]): string {
  return `q 1 0 0 -1 0 792 cm ${rows.map((row, n) => turned([1, 0, 0, -1, 72, 92 + 14 * n], row)).join('')} Q`;
}

function hyphens(): PdfCase[] {
  const broken = ['The light-', 'house keeper counted the ves-', 'sels of the har-', 'bour each morning.'];
  const kept = [
    'A well-known ship-to-shore radio, built 1990-1995,',
    'was sold to the North-',
    'South line in Nov. 2001-',
    '2002 as model B-',
    '52.',
  ];
  return [
    words(
      'hyphen-at-end',
      drawnPdf(lines(72, 700, broken)),
      'The lighthouse keeper counted the vessels of the harbour each morning.',
    ),
    words(
      'hyphen-soft',
      drawnPdf(
        lines(
          72,
          700,
          broken.map((line) => line.replace(/-$/, '\xad')),
        ),
      ),
      'The lighthouse keeper counted the vessels of the harbour each morning.',
    ),
    words(
      'hyphen-kept',
      drawnPdf(lines(72, 700, kept)),
      'A well-known ship-to-shore radio, built 1990-1995, was sold to the North-South line in Nov. 2001-2002 as model B-52.',
    ),
  ];
}

function ligatures(): PdfCase[] {
  const text = 'The of\ufb01ce \ufb02oods the \ufb01rst \ufb02oor e\ufb00ortlessly';
  const plain = text.normalize('NFKC');
  const one = (name: string, meaning: (character: string) => string) => {
    const draft = createDraft();
    draft.page(inFont(unicodeFont(draft, text, { meaning }), 72, 700, text));
    return words(name, draft.bytes(), plain);
  };
  return [
    one('ligatures', (character) => character),
    one('ligatures-as-letters', (character) => character.normalize('NFKC')),
  ];
}

const secret = 'nobody knows what these letters mean';

/** Text in a font that says nothing of its letters, and as much text in one that does. */
function unmapped(unknown: string, known: string): Buffer {
  const draft = createDraft();
  const font = unicodeFont(draft, unknown, { meaning: () => undefined });
  draft.page(inFont(font, 72, 740, unknown) + lines(72, 700, wrapped(known, 440)));
  return draft.bytes();
}

function unknownFonts(): PdfCase[] {
  const drawn = createDraft();
  drawn.page(inFont(drawnFont(drawn, secret, false), 72, 700, secret));
  const mapped = createDraft();
  mapped.page(inFont(drawnFont(mapped, secret, true), 72, 700, secret));
  const control = createDraft();
  const codes = unicodeFont(control, secret, {
    meaning: (letter) => String.fromCharCode(letter.charCodeAt(0) % 31 || 1),
  });
  control.page(inFont(codes, 72, 700, secret));
  const known = prose(120);
  const part = (name: string, unknown: string): PdfCase => ({
    name,
    bytes: unmapped(unknown, known),
    expected: { text: known, compare: 'words', partly: true },
  });
  const bullets = createDraft();
  const bullet = unicodeFont(bullets, '\u2022', { meaning: () => '\uf0b7' });
  const items = ['bread', 'milk', 'a lantern'];
  bullets.page(
    items.map((item, n) => inFont(bullet, 72, 700 - 14 * n, '\u2022') + at(90, 700 - 14 * n, item)).join(''),
  );
  return [
    refused('unknown-all', unmapped(secret, ''), 'no_text'),
    refused('unknown-drawn', drawn.bytes(), 'no_text'),
    refused('unknown-control', control.bytes(), 'no_text'),
    refused('unknown-half', unmapped(prose(20, 90), prose(20)), 'no_text'),
    part('unknown-little', 'a few words'),
    part('unknown-letter', 'x'),
    words('drawn-and-known', mapped.bytes(), secret),
    kept('bullets-of-a-font', bullets.bytes(), items.join('\n')),
    words(
      'symbols',
      drawnPdf(at(72, 700, 'abg', { font: 'F4' }) + at(120, 700, 'are Greek')),
      '\u03b1\u03b2\u03b3 are Greek',
    ),
  ];
}

export function letters(): PdfCase[] {
  return [...overprints(), ...spacing(), ...hyphens(), ...ligatures(), ...unknownFonts()];
}
