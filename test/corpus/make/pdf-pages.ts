import { bag, kept, type PdfCase, refused, words } from './pdf-case.js';
import { at, lines, prose, turned, wrapped } from './pdf-draw.js';
import { createDraft, drawnPdf, type PageMore } from './pdf-writer.js';

const text = wrapped(prose(60), 400);
const said = text.join('\n');

/** How a text is turned to stand upright on a page that a viewer turns, and where its first line begins. */
const rotations = {
  90: (n: number) => [0, 1, -1, 0, 72 + 14 * n, 72],
  180: (n: number) => [-1, 0, 0, -1, 540, 72 + 14 * n],
  270: (n: number) => [0, -1, 1, 0, 540 - 14 * n, 720],
};

function rotated(degrees: 90 | 180 | 270, more: PageMore): Buffer {
  const draft = createDraft();
  draft.page(text.map((line, n) => turned(rotations[degrees](n), line)).join(''), more);
  return draft.bytes();
}

function rotation(): PdfCase[] {
  const slanted = Math.SQRT1_2;
  const watermark = turned([slanted, slanted, -slanted, slanted, 150, 200], 'DRAFT COPY', { size: 60 });
  const draft = createDraft();
  draft.page(lines(72, 700, text), { rotate: 90 });
  return [
    words('rotated-90', rotated(90, { rotate: 90 }), said),
    words('rotated-180', rotated(180, { rotate: 180 }), said),
    words('rotated-270', rotated(270, { rotate: 270 }), said),
    words('turned-90', rotated(90, {}), said),
    words('turned-180', rotated(180, {}), said),
    words('turned-270', rotated(270, {}), said),
    words('rotated-sideways', draft.bytes(), said),
    bag('watermark-below', drawnPdf(`0.8 g ${watermark} 0 g ${lines(72, 700, text)}`), `${said}\n\nDRAFT COPY`),
    bag('watermark-above', drawnPdf(lines(72, 700, text) + watermark), `${said}\n\nDRAFT COPY`),
    bag(
      'sideways-in-margin',
      drawnPdf(lines(72, 700, text) + turned([0, 1, -1, 0, 30, 300], 'printed in May')),
      `${said}\n\nprinted in May`,
    ),
  ];
}

function scan(draw: string): Buffer {
  const draft = createDraft();
  const image = draft.add({
    dictionary: '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 1',
    bytes: Buffer.from([0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55]),
  });
  draft.page(`q 500 0 0 700 56 46 cm /${draft.resource('XObject', image)} Do Q ${draw}`);
  return draft.bytes();
}

function book(): PdfCase {
  const draft = createDraft();
  const pages = Array.from({ length: 352 }, (_, n) => `Page ${n + 1} of the ledger of ${1600 + n}.`);
  for (const page of pages) draft.page(at(72, 700, page));
  return words('book', draft.bytes(), pages.join('\n\n'));
}

function headers(): PdfCase {
  const bodies = [0, 50, 100].map((start) => wrapped(prose(50, start), 400));
  const pages = bodies.map((body, n) => ['The harbour report', ...body, `page ${n + 1} of 3`]);
  const draw = (body: readonly string[], n: number) =>
    at(72, 40, `page ${n + 1} of 3`, { size: 8 }) +
    at(72, 760, 'The harbour report', { size: 8 }) +
    lines(72, 700, body);
  return words('headers-and-footers', drawnPdf(...bodies.map(draw)), pages.map((page) => page.join('\n')).join('\n\n'));
}

/** A page that consists of a few hundred texts of one letter or number each, such as a plan. */
function tiny(): PdfCase {
  const all = Array.from({ length: 400 }, (_, n) => ({ x: 60 + (n % 20) * 24, y: 720 - Math.floor(n / 20) * 30, n }));
  const draw = all.map(({ x, y, n }) => at(x, y, String(n + 1000), { size: 5 }));
  // Drawn in an order that has nothing to do with where they stand.
  const mixed = draw.map((_, n) => draw[(n * 173) % draw.length] ?? '');
  return words('many-small-texts', drawnPdf(mixed.join('')), all.map(({ n }) => n + 1000).join(' '));
}

function inForm(): PdfCase {
  const draft = createDraft();
  const form = draft.add({
    dictionary:
      '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Matrix [1 0 0 1 0 0] /Resources << /Font << /F1 4 0 R >> >>',
    bytes: Buffer.from(lines(72, 700, text.slice(2)), 'latin1'),
  });
  draft.page(`${lines(72, 740, text.slice(0, 2))} /${draft.resource('XObject', form)} Do`);
  return words('text-in-a-drawing', draft.bytes(), said);
}

export function pages(): PdfCase[] {
  const paragraphs = [wrapped(prose(40), 400), wrapped(prose(30, 50), 400)];
  const draw = lines(72, 700, paragraphs[0] ?? []) + lines(72, 600, paragraphs[1] ?? []);
  const initial =
    at(72, 688, 'T', { size: 36 }) +
    lines(98, 700, ['he ferry crosses the', 'harbour twice a day']) +
    lines(72, 674, ['in summer and once in', 'winter.']);
  return [
    ...rotation(),
    refused('empty', drawnPdf(''), 'no_text'),
    refused('blanks', drawnPdf(at(72, 700, '   ')), 'no_text'),
    refused('scan', scan(''), 'no_text'),
    words(
      'scan-with-words',
      scan(text.map((line, n) => at(72, 700 - 12 * n, line, { before: '3 Tr' })).join('')),
      said,
    ),
    words('paragraphs', drawnPdf(draw), paragraphs.map((lines) => lines.join('\n')).join('\n\n')),
    words('lines-from-below', drawnPdf(lines(72, 700, text).split('\n').reverse().join('\n')), said),
    kept('initial-letter', drawnPdf(initial), 'harbour twice a day in summer and once in winter. ferry crosses the'),
    book(),
    headers(),
    tiny(),
    inForm(),
  ];
}
