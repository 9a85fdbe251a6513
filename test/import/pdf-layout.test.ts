import { describe, expect, it } from 'vitest';
import { withoutBreaks } from '../../src/adapters/extract/pdf/hyphens.js';
import { meaningOf } from '../../src/adapters/extract/pdf/meaning.js';
import type { Glyph } from '../../src/adapters/extract/pdf/page.js';
import { pageText } from '../../src/adapters/extract/pdf/page-text.js';
import { repaired } from '../../src/adapters/extract/pdf/repair.js';
import { textPdf } from './pdf.js';

describe('words that are broken at the end of a line', () => {
  it.each([
    ['are joined', 'the light-\nhouse stands', 'the lighthouse\nstands'],
    ['are joined when they fill lines', 'an extra-\nordi-\nnary day', 'an extraordinary\nday'],
    ['are joined at a soft hyphen', 'the ves\u00ad\nsel \u00adis', 'the vessel\nis'],
    ['keep a hyphen that they have elsewhere', 'well-known and well-\nknown', 'well-known and well-known'],
    ['keep a hyphen beside another one', 'ship-to-\nshore radio', 'ship-to-shore\nradio'],
    ['keep a hyphen before a capital or a number', 'North-\nSouth 1990-\n1995', 'North-South\n1990-1995'],
    ['are no dash or mark of a list', 'so it was -\nor was it\n-\na', 'so it was -\nor was it\n-\na'],
    ['do not end a paragraph', 'the light-\n\nhouse', 'the light-\n\nhouse'],
  ])('%s', (_name, text, joined) => expect(withoutBreaks(text)).toBe(joined));
});

describe('the meaning of a character of a font', () => {
  it.each([
    [0x41, 'A'],
    [0xfb03, 'ffi'],
    [0xfefb, '\u0644\u0627'],
    [0xf0b7, '\u2022'],
    [0xe123, null],
    [0x01, null],
    [0x85, null],
    [0xfffd, null],
    [0xd800, null],
    [0x110000, null],
    [0x200f, ''],
    [0xa0, ' '],
  ])('%i', (code, text) => expect(meaningOf(code)).toBe(text));
});

/** Letters of 10 points that are 5 points wide each. */
function drawn(text: string, x: number, y: number): Glyph[] {
  return [...text].map((letter, n) => ({ text: letter, x: x + 5 * n, y, width: 5, size: 10, direction: 0 }));
}

describe('a page as text', () => {
  const page = (...glyphs: readonly Glyph[][]) => pageText({ glyphs: glyphs.flat(), typed: [], unknown: 0, fields: 0 });

  it('separates words, cells and paragraphs by the gaps between them', () => {
    expect(page(drawn('one', 0, 100), drawn('two', 17, 100), drawn('three', 60, 100))).toBe('one two\tthree');
    expect(page(drawn('b', 0, 80), drawn('a', 0, 100))).toBe('a\n\nb');
    expect(page(drawn('b', 0, 88), drawn('a', 0, 100))).toBe('a\nb');
  });

  it('joins the lines of cells around one middle, and no rows beside lines at other heights', () => {
    const two = [drawn('braided', 0, 100), drawn('rope', 0, 88)];
    expect(page(...two, drawn('12', 80, 94))).toBe('braided rope\t12');
    expect(page(drawn('1', 0, 104), drawn('a note', 16, 100))).toMatch(/^1[\t ]a note$/);
    const rows = [...two, drawn('10', 80, 100), drawn('20', 80, 88)];
    expect(page(...rows, drawn('note', 140, 96), drawn('below', 140, 84))).toContain('rope\t20');
  });

  it.each([
    ['before', ['M', '\u00a8', 'u'], [0, 5, 5], 'M\u00fc'],
    ['after', ['M', '\u0131', '\u00b4'], [0, 5, 5], 'M\u00ed'],
    ['beside', ['a', '`', 'b'], [0, 10, 15], 'a `b'],
  ])('joins an accent to its letter: %s', (_name, texts, places, read) => {
    expect(page(...texts.map((text, n) => drawn(text, places[n] ?? 0, 100)))).toBe(read);
  });

  it.each([
    ['Ports.....7', 'Ports ..... 7'],
    ['Ports...7', 'Ports ... 7'],
    ['Ports... and', 'Ports... and'],
    ['Name:______', 'Name: ______'],
  ])('separates leaders from what they lead to: %s', (text, read) => expect(page(drawn(text, 0, 100))).toBe(read));

  it('reads raised and lowered letters with the line that they touch', () => {
    const small = (text: string, x: number, y: number) => drawn(text, x, y).map((glyph) => ({ ...glyph, size: 6 }));
    const lines = [drawn('above it', 0, 110), drawn('T', 0, 100), drawn('X rules', 8, 100), drawn('below', 0, 90)];
    expect(page(...lines, drawn('E', 4, 97.5))).toBe('above it\nTEX rules\nbelow');
    expect(page(drawn('is H', 0, 100), small('2', 20, 98), drawn('O', 25, 100))).toBe('is H2O');
    const caret = (x: number) => drawn('^', x, 95).map((glyph) => ({ ...glyph, size: 12 }));
    expect(page(caret(0), drawn('one', 5, 100), caret(20), drawn('Quick', 40, 88))).toBe('^one^\nQuick');
    expect(page(drawn('say', 0, 100), small('1,', 15, 104), small('2', 27, 104))).toBe('say1, 2');
  });

  it('reads columns of labels with values one after the other, and a table of four columns by rows', () => {
    const row = (y: number, ...texts: string[]) => texts.flatMap((text, n) => drawn(text, 60 * n, y));
    const forms = [
      row(124, 'No:', '17', 'To:', 'Ada'),
      row(112, 'Day:', 'May', 'Of:', 'Bo'),
      row(100, 'Due:', 'June', 'At:', 'Leer'),
    ];
    expect(page(...forms)).toBe('No:\t17\nDay:\tMay\nDue:\tJune\n\nTo:\tAda\nOf:\tBo\nAt:\tLeer');
    const cells = forms.map((glyphs) => glyphs.filter(({ text }) => text !== ':'));
    expect(page(...cells)).toBe('No\t17\tTo\tAda\nDay\tMay\tOf\tBo\nDue\tJune\tAt\tLeer');
    const halves = [0, 1].flatMap((half) => cells.map((all) => all.filter(({ x }) => x >= 120 === (half === 1))));
    expect(page(...halves)).toBe('No\t17\nDay\tMay\nDue\tJune\n\nTo\tAda\nOf\tBo\nAt\tLeer');
  });

  it('joins the lines of cells that begin at one height, where they were drawn cell by cell or fill their cells', () => {
    const last = [drawn('hook', 0, 60), drawn('steel', 80, 60), drawn('2', 160, 60)];
    const rope = [drawn('a rope of long', 0, 100), drawn('nylon yarn', 0, 88)];
    const use = [drawn('to tow in the', 80, 100), drawn('old harbour', 80, 88)];
    const read = 'a rope of long nylon yarn\tto tow in the old harbour\t1\nhook\tsteel\t2';
    expect(page(...rope, ...use, drawn('1', 160, 100), ...last)).toBe(read);
    const [one = [], two = []] = rope;
    const [three = [], four = []] = use;
    expect(page(one, three, drawn('1', 160, 100), two, four, ...last)).toBe(read);
    const code = [drawn('plot a b c one', 0, 100), drawn('# the first', 80, 100), drawn('plot two', 0, 88)];
    expect(page(...code, drawn('plot six', 0, 76), drawn('# last', 80, 76))).toContain('# the first\nplot two\n');
    const names = [drawn('Ada', 0, 100), drawn('1', 80, 100), drawn('Bo', 0, 88), drawn('2', 80, 88)];
    expect(page(...names, drawn('Cy', 0, 60), drawn('3', 80, 60))).toBe('Ada\t1\nBo\t2\nCy\t3');
  });

  it('has text of another direction last', () => {
    const up = drawn('UP', 0, 0).map((glyph) => ({ ...glyph, x: 0, y: glyph.x, direction: 90 }));
    expect(page(up, drawn('level', 0, 50))).toBe('level\n\nUP');
  });

  it('has values beside their labels', () => {
    const box = { left: 60, right: 160, bottom: 96, top: 112 };
    const glyphs = drawn('Name:', 0, 100);
    expect(pageText({ glyphs, typed: [{ text: 'Ada', ...box }], unknown: 0, fields: 1 })).toBe('Name:\tAda');
  });

  it('is empty without anything on it', () => expect(page()).toBe(''));
});

describe('a file without its end', () => {
  it('gets a trailer that names its catalog', () => {
    const cut = textPdf([['x']]).subarray(0, 120);
    expect(Buffer.from(repaired(cut) ?? []).toString('latin1')).toContain('trailer\n<< /Root 1 0 R >>');
  });

  it('is not repaired without a catalog, or if it is encrypted', () => {
    expect(repaired(Buffer.from('%PDF-1.7\n1 0 obj << >> endobj'))).toBeNull();
    expect(repaired(Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj /Encrypt 5 0 R'))).toBeNull();
  });
});
