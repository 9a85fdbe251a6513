import { type PdfCase, refused, words } from './pdf-case.js';
import { at, lines } from './pdf-draw.js';
import { createDraft, drawnPdf } from './pdf-writer.js';

const rows = ['The bridge at the quarry', 'was closed for repairs', 'until the second of March.'];
const said = rows.join('\n');
const whole = () => drawnPdf(lines(72, 700, rows));
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const changed = (change: (file: string) => string) => latin1(change(whole().toString('latin1')));

/** The objects of a file in a stream of objects, and the table of their places in another stream, as PDF 1.5 has them. */
function inStreams(): Buffer {
  const draft = createDraft();
  draft.page(lines(72, 700, rows));
  const objects = draft.objects();
  const small = objects.flatMap((object, n) => (typeof object === 'string' ? [{ number: n + 1, object }] : []));
  const head: string[] = [];
  let body = '';
  for (const { number, object } of small) {
    head.push(`${number} ${body.length}`);
    body += `${object}\n`;
  }
  const first = `${head.join(' ')}\n`;
  const container = objects.length + 1;
  let file = '%PDF-1.5\n';
  const places = new Map<number, number>();
  const stream = (number: number, dictionary: string, bytes: string) => {
    places.set(number, file.length);
    file += `${number} 0 obj\n<< ${dictionary} /Length ${bytes.length} >>\nstream\n${bytes}\nendstream\nendobj\n`;
  };
  for (const [n, object] of objects.entries()) {
    if (typeof object !== 'string') stream(n + 1, '', Buffer.from(object.bytes).toString('latin1'));
  }
  stream(container, `/Type /ObjStm /N ${small.length} /First ${first.length}`, first + body);
  const start = file.length;
  const table = Buffer.alloc(7 * (container + 2));
  for (let number = 1; number < container + 2; number += 1) {
    const inside = small.findIndex((one) => one.number === number);
    table.writeUInt8(inside >= 0 ? 2 : 1, 7 * number);
    table.writeUInt32BE(inside >= 0 ? container : (places.get(number) ?? start), 7 * number + 1);
    table.writeUInt16BE(Math.max(0, inside), 7 * number + 5);
  }
  stream(container + 1, `/Type /XRef /W [1 4 2] /Size ${container + 2} /Root 1 0 R`, table.toString('latin1'));
  return latin1(`${file}startxref\n${start}\n%%EOF\n`);
}

/** A form that only some viewers can show. For all others its one page asks to wait. */
function dynamicForm(): Buffer {
  const draft = createDraft();
  const asks = [
    'Please wait...',
    'If this message is not eventually replaced by the proper contents of the document,',
    'your PDF viewer may not be able to display this type of document.',
  ];
  draft.page(lines(72, 700, asks));
  const template =
    '<template xmlns="http://www.xfa.org/schema/xfa-template/3.0/"><subform name="one" layout="tb"><field name="who"/></subform></template>';
  const form = draft.add({
    bytes: latin1(`<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">${template}</xdp:xdp>`),
  });
  return draft.bytes(`/NeedsRendering true /AcroForm << /Fields [] /XFA ${form} >>`);
}

/** One page that can be read, and one whose drawing is no stream that can be unpacked. */
function brokenPage(): Buffer {
  const draft = createDraft();
  draft.page(lines(72, 700, rows));
  draft.page('BT /F1 10 Tf 72 700 Td (cut');
  const content = draft.add({ dictionary: '/Filter /FlateDecode', bytes: Buffer.from('this was never packed') });
  draft.page(`/${draft.resource('XObject', content)} Do`);
  return draft.bytes();
}

export function damaged(): PdfCase[] {
  const file = whole();
  const early = file.toString('latin1').indexOf('xref\n0 ');
  return [
    words(
      'damaged-table',
      changed((text) => text.replace(/\d{10} 00000 n/g, '0000000099 00000 n')),
      said,
    ),
    words(
      'damaged-table-shifted',
      changed((text) =>
        text.replace(/(\d{10}) 00000 n/g, (_, place) => `${String(Number(place) + 3).padStart(10, '0')} 00000 n`),
      ),
      said,
    ),
    words(
      'damaged-start',
      changed((text) => text.replace(/startxref\n\d+/, 'startxref\n7')),
      said,
    ),
    words('damaged-no-table', file.subarray(0, early), said),
    words(
      'damaged-length',
      changed((text) => text.replace(/\/Length \d+/, '/Length 9')),
      said,
    ),
    words(
      'damaged-line-ends',
      changed((text) => text.replaceAll('endobj\n', 'endobj\r\n')),
      said,
    ),
    words('garbage-before', Buffer.concat([Buffer.alloc(300, 'x\n'), file]), said),
    words('garbage-after', Buffer.concat([file, Buffer.alloc(3000, 0)]), said),
    words('changed-later', updated(), 'The newer text of the page'),
    words('object-streams', inStreams(), said),
    words('broken-page', brokenPage(), said),
    refused('truncated', file.subarray(0, 300), 'unreadable_pdf'),
    refused('dynamic-form', dynamicForm(), 'unreadable_pdf'),
    refused('no-pdf', latin1('%PDF-1.7 is how a PDF begins.\nThis text is about that, and is none.\n'), 'not_pdf'),
  ];
}

/** A file to which a later version of one object was added, as editors save. */
function updated(): Buffer {
  const before = drawnPdf(at(72, 700, 'The older text of the page')).toString('latin1');
  const number = Number(/(\d+) 0 obj\n<< {2}\/Length/.exec(before)?.[1]);
  const draw = at(72, 700, 'The newer text of the page');
  const object = `${number} 0 obj\n<< /Length ${draw.length} >>\nstream\n${draw}\nendstream\nendobj\n`;
  const last = /startxref\n(\d+)/.exec(before)?.[1];
  const table = `xref\n${number} 1\n${String(before.length).padStart(10, '0')} 00000 n \n`;
  return latin1(
    `${before}${object}${table}trailer\n<< /Size 99 /Root 1 0 R /Prev ${last} >>\nstartxref\n${before.length + object.length}\n%%EOF\n`,
  );
}
