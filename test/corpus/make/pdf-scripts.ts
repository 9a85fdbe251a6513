import { type PdfCase, words } from './pdf-case.js';
import { at, inFont } from './pdf-draw.js';
import { createDraft, unicodeFont } from './pdf-writer.js';

const hebrew = ['שלום עולם', 'הספינה יצאה מן הנמל'];
const hebrewNumber = 'בשנת 1987 נבנה הגשר';
const arabic = 'السفينة في الميناء';
const japanese = ['港の灯台は修理された。', '船は毎朝数えられる。'];
const chinese = '港口的灯塔每天晚上都亮着。';
const korean = '항구의 등대는 매일 밤 켜진다';

/** Every character by itself from right to left, in the order in which it is read. */
function fromRight(text: string, y: number): Buffer {
  const draft = createDraft();
  const font = unicodeFont(draft, text);
  draft.page(
    [...text].map((character, n) => (character === ' ' ? '' : inFont(font, 400 - 5 * n, y, character))).join(''),
  );
  return draft.bytes();
}

/** All lines from left to right, as they look: the last letter of each comes first. */
function asSeen(rows: readonly string[], seen: (row: string) => string, meaning?: (one: string) => string): Buffer {
  const draft = createDraft();
  const font = unicodeFont(draft, rows.join(''), meaning ? { meaning } : {});
  draft.page(rows.map((row, n) => inFont(font, 400 - 5 * row.length, 700 - 14 * n, seen(row))).join(''));
  return draft.bytes();
}

const hebrewBrackets = 'הגשר (ליד הנמל) נבנה [מחדש] בשנת 1987';
/** What is drawn for a bracket in a line from right to left. */
const other = (bracket: string) => '()[]'['()[]'.indexOf(bracket) ^ 1] ?? bracket;

/** A Hebrew word, drawn from left to right, in an English line. */
function inEnglish(): Buffer {
  const word = hebrew[0]?.slice(0, 4) ?? '';
  const draft = createDraft();
  const font = unicodeFont(draft, word);
  draft.page(at(72, 700, 'The word') + inFont(font, 117, 700, reversed(word)) + at(142, 700, 'means peace.'));
  return draft.bytes();
}

const reversed = (row: string) => [...row].reverse().join('');
/** A number in such a line is written from left to right. */
const reversedButNumbers = (row: string) => reversed(row).replace(/\d+/g, reversed);

/** The forms that some Arabic letters have at the beginning, within and at the end of a word. */
const shaped: Readonly<Record<string, string>> = {
  ا: '\ufe8e',
  ل: '\ufee0',
  س: '\ufeb4',
  ف: '\ufed4',
  ي: '\ufef4',
  ن: '\ufee8',
};

function plain(name: string, rows: readonly string[], width = 1000): PdfCase {
  const draft = createDraft();
  const font = unicodeFont(draft, rows.join(''), { width });
  draft.page(rows.map((row, n) => inFont(font, 72, 700 - 16 * n, row)).join(''));
  return words(name, draft.bytes(), rows.join('\n'));
}

/** Japanese in one of the encodings whose maps a reader brings along. */
function named(): PdfCase {
  const draft = createDraft();
  const about = draft.add(
    '<< /Type /FontDescriptor /FontName /R /Flags 4 /FontBBox [0 0 9 9] /ItalicAngle 0 /Ascent 8 /Descent -2 /CapHeight 7 /StemV 8 >>',
  );
  const descendant = draft.add(
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /R /FontDescriptor ${about} /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>`,
  );
  const font = draft.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /R /Encoding /90ms-RKSJ-H /DescendantFonts [${descendant}] >>`,
  );
  draft.page(`BT /${draft.resource('Font', font)} 12 Tf 72 700 Td <93fa967b> Tj ET`);
  return words('japanese-encoding', draft.bytes(), '日本');
}

function vertical(): PdfCase {
  const draft = createDraft();
  const font = unicodeFont(draft, japanese.join(''), { width: 1000, vertical: true });
  draft.page(japanese.map((row, n) => inFont(font, 400 - 20 * n, 700, row, 12)).join(''));
  return words('japanese-vertical', draft.bytes(), japanese.join('\n'));
}

export function scripts(): PdfCase[] {
  const [first = ''] = hebrew;
  return [
    words('hebrew-as-seen', asSeen(hebrew, reversed), hebrew.join('\n')),
    words('hebrew-as-read', fromRight(first, 700), first),
    words('hebrew-number', asSeen([hebrewNumber], reversedButNumbers), hebrewNumber),
    words(
      'hebrew-brackets',
      asSeen([hebrewBrackets], (row) => reversedButNumbers(row).replace(/[()[\]]/g, other)),
      hebrewBrackets,
    ),
    words('hebrew-in-english', inEnglish(), `The word ${hebrew[0]?.slice(0, 4)} means peace.`),
    words('arabic-as-seen', asSeen([arabic], reversed), arabic),
    words('arabic-as-read', fromRight(arabic, 700), arabic),
    words(
      'arabic-shapes',
      asSeen([arabic], reversed, (one) => shaped[one] ?? one),
      arabic,
    ),
    plain('japanese', japanese),
    plain('chinese', [chinese]),
    plain('korean', [korean]),
    plain('greek-and-russian', ['Ο φάρος του λιμανιού', 'Маяк в гавани'], 550),
    named(),
    vertical(),
  ];
}
