import { pdfOf, type Stream } from '../../import/pdf.js';

/** What stands on a page beside what is drawn on it. */
export interface PageMore {
  /** References of annotations, such as `12 0 R`. */
  readonly annotations?: readonly string[];
  /** The degrees by which a viewer turns the page, clockwise. */
  readonly rotate?: number;
  readonly width?: number;
  readonly height?: number;
}

/** A PDF while it is made. Its first three objects are the catalog, the tree of pages, and the resources of all pages. */
export interface Draft {
  /** @returns the reference of the new object, such as `12 0 R` */
  add(object: string | Stream): string;
  /** Puts an object in the place of one that was added before something else could be known. */
  set(reference: string, object: string): void;
  /** Makes an object known to the content of all pages. @returns the name by which they call it */
  resource(kind: 'Font' | 'XObject', reference: string): string;
  page(draw: string, more?: PageMore): void;
  /** The objects so far. @param catalog further members of the catalog */
  objects(catalog?: string): (string | Stream)[];
  /** The whole file. @param trailer further members of its trailer */
  bytes(catalog?: string, trailer?: string): Buffer;
}

const base = (name: string, encoding = '/Encoding /WinAnsiEncoding') =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /${name} ${encoding} >>`;

/** A new PDF with the fonts F1 Helvetica, F2 Helvetica-Bold, F3 Courier and F4 Symbol, which every reader has. */
export function createDraft(): Draft {
  const made: (string | Stream)[] = ['', '', ''];
  const pages: string[] = [];
  const resources = { Font: new Map<string, string>(), XObject: new Map<string, string>() };

  function add(object: string | Stream): string {
    made.push(object);
    return `${made.length} 0 R`;
  }
  function resource(kind: 'Font' | 'XObject', reference: string): string {
    const name = `${kind.slice(0, 1)}${resources[kind].size + 1}`;
    resources[kind].set(name, reference);
    return name;
  }
  for (const name of ['Helvetica', 'Helvetica-Bold', 'Courier']) resource('Font', add(base(name)));
  resource('Font', add(base('Symbol', '')));

  function objects(catalog = ''): (string | Stream)[] {
    const named = (kind: 'Font' | 'XObject') => [...resources[kind]].map(([name, at]) => `/${name} ${at}`).join(' ');
    return [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      `<< /Type /Pages /Kids [${pages.join(' ')}] /Count ${pages.length} >>`,
      `<< /Font << ${named('Font')} >> /XObject << ${named('XObject')} >> >>`,
      ...made.slice(3),
    ];
  }
  return {
    add,
    set: (reference, object) => {
      made[Number.parseInt(reference, 10) - 1] = object;
    },
    resource,
    page(draw, { annotations = [], rotate, width = 612, height = 792 } = {}) {
      const content = add({ bytes: Buffer.from(draw, 'latin1') });
      const more = annotations.length > 0 ? ` /Annots [${annotations.join(' ')}]` : '';
      const turned = rotate === undefined ? '' : ` /Rotate ${rotate}`;
      pages.push(
        add(
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${content} /Resources 3 0 R${turned}${more} >>`,
        ),
      );
    },
    objects,
    bytes: (catalog, trailer) => pdfOf(objects(catalog), trailer),
  };
}

/** A PDF of pages that need nothing but the four fonts. */
export function drawnPdf(...draws: readonly string[]): Buffer {
  const draft = createDraft();
  for (const draw of draws) draft.page(draw);
  return draft.bytes();
}

export interface FontOf {
  /** The name in contents of pages. */
  readonly name: string;
  /** A text as the codes of this font, for `Tj`. */
  codes(text: string): string;
}

export interface UnicodeFont {
  /** What the font says that a character means; undefined if it says nothing. Without this option it says the character itself. */
  readonly meaning?: (character: string) => string | undefined;
  /** The width of every character, in thousandths of the size. */
  readonly width?: number;
  readonly vertical?: boolean;
}

/** A font with a code of two bytes for each of these characters. */
export function unicodeFont(draft: Draft, characters: string, options: UnicodeFont = {}): FontOf {
  const { meaning = (character: string) => character, width = 500, vertical = false } = options;
  const all = [...new Set(characters)];
  const code = (at: number) => (at + 1).toString(16).padStart(4, '0');
  const means = all.flatMap((character, at) => {
    const text = meaning(character);
    return text === undefined ? [] : [`<${code(at)}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`];
  });
  const map = means.length > 0 ? `/ToUnicode ${draft.add({ bytes: Buffer.from(unicodeMap(means)) })}` : '';
  const about = draft.add(
    '<< /Type /FontDescriptor /FontName /AAAAAA+Made /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  );
  const descendant = draft.add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Made /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${about} /DW ${width} /CIDToGIDMap /Identity >>`,
  );
  const font = draft.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Made /Encoding /Identity-${vertical ? 'V' : 'H'} /DescendantFonts [${descendant}] ${map} >>`,
  );
  const places = new Map(all.map((character, at) => [character, code(at)]));
  return {
    name: draft.resource('Font', font),
    codes: (text) => `<${[...text].map((character) => places.get(character) ?? '0000').join('')}>`,
  };
}

/** The map from codes to text. It has blocks of 100 lines, as its format demands. */
function unicodeMap(lines: readonly string[]): string {
  const blocks = Array.from({ length: Math.ceil(lines.length / 100) }, (_, at) => {
    const block = lines.slice(100 * at, 100 * at + 100);
    return `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`;
  });
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Made def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${blocks.join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`;
}

/** A font whose letters are drawings of their own: a box for each. @param mapped whether it says what they mean */
export function drawnFont(draft: Draft, characters: string, mapped: boolean): FontOf {
  const all = [...new Set(characters)];
  const box = draft.add({ bytes: Buffer.from('500 0 50 0 450 700 d1 50 0 400 700 re f') });
  const names = all.map((_, at) => `/g${at + 1}`);
  const means = all.map((character, at) => {
    const text = Buffer.from(character, 'utf16le').swap16().toString('hex');
    return `<${(at + 1).toString(16).padStart(4, '0')}> <${text}>`.replace('<00', '<');
  });
  const map = mapped
    ? `/ToUnicode ${draft.add({ bytes: Buffer.from(unicodeMap(means).replace('<0000> <ffff>', '<00> <ff>')) })}`
    : '';
  const font = draft.add(
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 1 /LastChar ${all.length}
/Widths [${all.map(() => 500).join(' ')}] /Encoding << /Type /Encoding /Differences [1 ${names.join(' ')}] >>
/CharProcs << ${names.map((name) => `${name} ${box}`).join(' ')} >> /Resources << >> ${map} >>`,
  );
  return {
    name: draft.resource('Font', font),
    codes: (text) => `<${[...text].map((one) => (all.indexOf(one) + 1).toString(16).padStart(2, '0')).join('')}>`,
  };
}
