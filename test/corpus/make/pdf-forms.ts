import type { PdfCase } from './pdf-case.js';
import { at, literal } from './pdf-draw.js';
import { createDraft, type Draft } from './pdf-writer.js';

/** A field of a form, which has one widget. */
interface Field {
  readonly name: string;
  readonly type: 'Tx' | 'Btn' | 'Ch';
  /** Where it stands: left, bottom, right, top. */
  readonly box: readonly [number, number, number, number];
  /** Its value as it is written in the file, such as `(Vienna)` or `/Yes`. */
  readonly value: string;
  /** What a viewer draws in it, where the file says so. */
  readonly drawn?: string;
  readonly more?: string;
  /** 4 says that it is printed, 2 that nobody sees it. */
  readonly flags?: number;
}

const boxOf = (y: number): Field['box'] => [180, y - 4, 400, y + 12];

function widget(draft: Draft, { name, type, box, value, drawn, more = '', flags = 4 }: Field): string {
  const appearance = drawn === undefined ? '' : `/AP << /N ${appearanceOf(draft, drawn, box)} >>`;
  return draft.add(
    `<< /Type /Annot /Subtype /Widget /FT /${type} /T (${name}) /Rect [${box.join(' ')}] /V ${value} /F ${flags} /DA (/Helv 10 Tf 0 g) ${appearance} ${more} >>`,
  );
}

function appearanceOf(draft: Draft, drawn: string, box: Field['box']): string {
  return draft.add({
    dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 ${box[2] - box[0]} ${box[3] - box[1]}] /Resources 3 0 R`,
    bytes: Buffer.from(`/Tx BMC q ${drawn} Q EMC`, 'latin1'),
  });
}

/** A page of labels, with fields beside them. */
function form(labels: string, fields: (draft: Draft) => readonly string[]): Buffer {
  const draft = createDraft();
  const widgets = fields(draft);
  draft.page(labels, { annotations: widgets });
  return draft.bytes(`/AcroForm << /Fields [${widgets.join(' ')}] /DR << >> /DA (/Helv 10 Tf 0 g) >>`);
}

const labelled = (...labels: readonly string[]) => labels.map((label, n) => at(72, 700 - 30 * n, label)).join('');
const filled = (name: string, bytes: Buffer, text: string, fields: number): PdfCase => ({
  name,
  bytes,
  expected: { text, compare: 'words', ...(fields > 0 ? { form_fields: fields } : {}) },
});

function texts(drawn: boolean): Buffer {
  const values = ['Ada Moreau', 'Vienna', '4,711.02'];
  return form(labelled('Name:', 'City:', 'Amount:'), (draft) =>
    values.map((value, n) =>
      widget(draft, {
        name: `f${n}`,
        type: 'Tx',
        box: boxOf(700 - 30 * n),
        value: literal(value),
        ...(drawn ? { drawn: `BT /F1 10 Tf 2 4 Td ${literal(value)} Tj ET` } : {}),
      }),
    ),
  );
}

/** A box to tick. Its marks are drawn by the streams of its two states. */
function checkbox(draft: Draft, name: string, y: number, ticked: boolean): string {
  const on = appearanceOf(draft, '1 1 m 9 9 l S', [0, 0, 10, 10]);
  const off = appearanceOf(draft, '', [0, 0, 10, 10]);
  const state = ticked ? '/Yes' : '/Off';
  return widget(draft, {
    name,
    type: 'Btn',
    box: [180, y, 190, y + 10],
    value: state,
    more: `/AS ${state} /AP << /N << /Yes ${on} /Off ${off} >> >>`,
  });
}

function radioForm(): Buffer {
  const draft = createDraft();
  const group = draft.add('');
  const on = appearanceOf(draft, '1 1 m 9 9 l S', [0, 0, 10, 10]);
  const one = (state: string, y: number) =>
    draft.add(
      `<< /Type /Annot /Subtype /Widget /Parent ${group} /Rect [180 ${y} 190 ${y + 10}] /F 4 /AS /${state === 'Train' ? state : 'Off'} /AP << /N << /${state} ${on} >> >> >>`,
    );
  const widgets = [one('Train', 700), one('Ship', 670)];
  draft.set(group, `<< /FT /Btn /Ff 49152 /T (by) /V /Train /Kids [${widgets.join(' ')}] >>`);
  draft.page(labelled('Journey by train', 'Journey by ship'), { annotations: widgets });
  return draft.bytes(`/AcroForm << /Fields [${group}] >>`);
}

/** A text that somebody typed onto a page. */
function note(draft: Draft, text: string, y: number, drawn: boolean, more = ''): string {
  const box: Field['box'] = [72, y, 400, y + 14];
  const appearance = drawn
    ? `/AP << /N ${appearanceOf(draft, `BT /F1 10 Tf 2 4 Td ${literal(text)} Tj ET`, box)} >>`
    : '';
  return draft.add(
    `<< /Type /Annot /Subtype /FreeText /Rect [${box.join(' ')}] /Contents ${literal(text)} /DA (/Helv 10 Tf 0 g) /F 4 ${appearance} ${more} >>`,
  );
}

function notes(labels: string, all: readonly string[], drawn: boolean): Buffer {
  const draft = createDraft();
  draft.page(labels, { annotations: all.map((text, n) => note(draft, text, 640 - 20 * n, drawn)) });
  return draft.bytes();
}

/** A note whose text is given with its styles only. */
function styled(): Buffer {
  const draft = createDraft();
  const text =
    '<?xml version="1.0"?><body xmlns="http://www.w3.org/1999/xhtml"><p><span style="color:#00f">Paid in full</span> on the third of May</p></body>';
  const annotation = draft.add(
    `<< /Type /Annot /Subtype /FreeText /Rect [72 640 400 660] /RC ${literal(text)} /DA (/Helv 10 Tf 0 g) /F 4 >>`,
  );
  draft.page('', { annotations: [annotation] });
  return draft.bytes();
}

export function forms(): PdfCase[] {
  const field = (draft: Draft, given: Pick<Field, 'type' | 'value'> & Partial<Field>) =>
    widget(draft, { name: 'one', box: boxOf(700), ...given });
  const typed = ['Received on the third of May', 'Paid in full'];
  return [
    filled('form-text', texts(true), 'Name: Ada Moreau City: Vienna Amount: 4,711.02', 3),
    filled('form-text-undrawn', texts(false), 'Name: Ada Moreau City: Vienna Amount: 4,711.02', 3),
    {
      name: 'form-checkbox',
      bytes: form(labelled('Insured', 'Member', 'Newsletter'), (draft) => [
        checkbox(draft, 'insured', 700, true),
        checkbox(draft, 'member', 670, false),
        checkbox(draft, 'newsletter', 640, true),
      ]),
      expected: { text: 'Insured\nMember\nNewsletter', compare: 'kept' },
    },
    {
      name: 'form-radio',
      bytes: radioForm(),
      expected: { text: 'Journey by train\nJourney by ship', compare: 'kept' },
    },
    filled(
      'form-choice',
      form(labelled('Country:'), (draft) => [
        field(draft, { type: 'Ch', value: '(at)', more: '/Ff 131072 /Opt [[(at) (Austria)] [(be) (Belgium)]]' }),
      ]),
      'Country: Austria',
      1,
    ),
    filled(
      'form-choice-plain',
      form(labelled('Colour:'), (draft) => [
        field(draft, { type: 'Ch', value: '(green)', more: '/Opt [(red) (green) (blue)]' }),
      ]),
      'Colour: green',
      1,
    ),
    filled(
      'form-lines',
      form(labelled('Remarks:'), (draft) => [
        field(draft, { type: 'Tx', value: '(first line\\rsecond line)', more: '/Ff 4096', box: [180, 640, 400, 712] }),
      ]),
      'Remarks: first line second line',
      1,
    ),
    filled(
      'form-utf16',
      form(labelled('Name:'), (draft) => [
        field(draft, { type: 'Tx', value: '<FEFF017D006F0066006900650020004B00F6006E0069006700E9>' }),
      ]),
      'Name: Žofie Königé',
      1,
    ),
    filled(
      'form-empty',
      form(labelled('Name:', 'City:'), (draft) => [field(draft, { type: 'Tx', value: '()' })]),
      'Name: City:',
      0,
    ),
    filled(
      'form-hidden',
      form(labelled('Name:'), (draft) => [
        field(draft, { type: 'Tx', value: '(Ada)' }),
        widget(draft, { name: 'two', type: 'Tx', box: boxOf(670), value: '(unseen)', flags: 2 }),
      ]),
      'Name: Ada',
      1,
    ),
    inherited(),
    orphan(),
    filled('note-typed', notes('', typed, true), typed.join('\n'), 0),
    filled('note-typed-undrawn', notes('', typed, false), typed.join('\n'), 0),
    filled('note-styled', styled(), 'Paid in full on the third of May', 0),
    filled(
      'note-beside-text',
      notes(labelled('The bill of the orchard'), typed, true),
      `The bill of the orchard\n${typed.join('\n')}`,
      0,
    ),
  ];
}

/** A field on a page of a file that names no form. */
function orphan(): PdfCase {
  const draft = createDraft();
  const value = widget(draft, { name: 'one', type: 'Tx', box: boxOf(700), value: '(Ada Moreau)' });
  draft.page(labelled('Name:'), { annotations: [value] });
  return filled('form-unnamed', draft.bytes(), 'Name: Ada Moreau', 1);
}

/** A field whose value stands in its parent, with one widget on each of two pages. */
function inherited(): PdfCase {
  const draft = createDraft();
  const parent = draft.add('');
  const one = () =>
    draft.add(`<< /Type /Annot /Subtype /Widget /Parent ${parent} /Rect [${boxOf(700).join(' ')}] /F 4 >>`);
  const widgets = [one(), one()];
  draft.set(parent, `<< /FT /Tx /T (who) /V (Ada Moreau) /DA (/Helv 10 Tf 0 g) /Kids [${widgets.join(' ')}] >>`);
  draft.page(labelled('Tenant:'), { annotations: widgets.slice(0, 1) });
  draft.page(labelled('Signed by:'), { annotations: widgets.slice(1) });
  const bytes = draft.bytes(`/AcroForm << /Fields [${parent}] >>`);
  return filled('form-inherited', bytes, 'Tenant: Ada Moreau\n\nSigned by: Ada Moreau', 2);
}
