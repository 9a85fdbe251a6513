import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { htmlText } from '../html-text.js';
import type { Typed } from './page.js';
import type { Memory } from './pdfium-memory.js';

/** The kinds of annotations and fields that are read, by their numbers in the library. */
const note = 3;
const widget = 20;
const field = { unknown: -1, checkbox: 2, radio: 3, combobox: 4, listbox: 5, text: 6 } as const;
/** Flags of annotations that no one sees: hidden, and not shown on a screen. */
const unseen = 2 | 32;
/** The flag of a field whose value is a password. */
const password = 1 << 13;
/** A page with more annotations is read without the rest. */
const maxAnnotations = 20_000;

/** The values of the fields of a page, and the notes that were typed onto it. */
export function typedOf(
  pdfium: WrappedPdfiumModule,
  memory: Memory,
  page: number,
  form: number,
): { typed: Typed[]; fields: number } {
  const typed: Typed[] = [];
  let fields = 0;
  const count = Math.min(maxAnnotations, pdfium.FPDFPage_GetAnnotCount(page));
  for (let at = 0; at < count; at += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, at);
    if (annotation === 0) continue;
    const kind = pdfium.FPDFAnnot_GetSubtype(annotation);
    const isSeen = (pdfium.FPDFAnnot_GetFlags(annotation) & unseen) === 0;
    if (isSeen && (kind === note || kind === widget)) {
      const { text, isFilled } =
        kind === widget
          ? fieldValue(pdfium, memory, form, annotation)
          : { text: noteText(pdfium, memory, annotation), isFilled: false };
      if (text.trim() !== '') typed.push({ text, ...boxOf(pdfium, memory, annotation) });
      if (isFilled) fields += 1;
    }
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
  return { typed, fields };
}

const stringOf = (pdfium: WrappedPdfiumModule, memory: Memory, annotation: number, key: string) =>
  memory.text((address, bytes) => pdfium.FPDFAnnot_GetStringValue(annotation, key, address, bytes));

/** Some programs write the text of a note with its styles only, as a piece of XHTML. */
function noteText(pdfium: WrappedPdfiumModule, memory: Memory, annotation: number): string {
  const plain = stringOf(pdfium, memory, annotation, 'Contents');
  return plain.trim() === '' ? htmlText(stringOf(pdfium, memory, annotation, 'RC')) : plain;
}

function fieldValue(pdfium: WrappedPdfiumModule, memory: Memory, form: number, annotation: number) {
  const value = memory.text((address, bytes) => pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, address, bytes));
  switch (pdfium.FPDFAnnot_GetFormFieldType(form, annotation)) {
    case field.checkbox:
    case field.radio: {
      const state = stringOf(pdfium, memory, annotation, 'AS');
      const isFilled = state !== '' && state !== 'Off';
      return { text: isFilled ? '[x]' : '[ ]', isFilled };
    }
    case field.combobox:
    case field.listbox: {
      const text = chosen(pdfium, memory, form, annotation) || value;
      return { text, isFilled: text !== '' };
    }
    case field.text: {
      const isSecret = (pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & password) !== 0;
      return isSecret ? { text: '', isFilled: false } : { text: value, isFilled: value.trim() !== '' };
    }
    case field.unknown: {
      // A field that no form of the file names, as some programs leave behind when they join files.
      const text =
        stringOf(pdfium, memory, annotation, 'FT') === 'Btn' ? '' : stringOf(pdfium, memory, annotation, 'V');
      return { text, isFilled: text.trim() !== '' };
    }
    default:
      return { text: '', isFilled: false };
  }
}

/** The names of the options that are chosen, as a reader sees them. */
function chosen(pdfium: WrappedPdfiumModule, memory: Memory, form: number, annotation: number): string {
  const options = Math.min(maxAnnotations, pdfium.FPDFAnnot_GetOptionCount(form, annotation));
  const names: string[] = [];
  for (let at = 0; at < options; at += 1) {
    if (!pdfium.FPDFAnnot_IsOptionSelected(form, annotation, at)) continue;
    names.push(memory.text((to, bytes) => pdfium.FPDFAnnot_GetOptionLabel(form, annotation, at, to, bytes)));
  }
  return names.join(', ');
}

function boxOf(pdfium: WrappedPdfiumModule, { place, floatAt }: Memory, annotation: number) {
  pdfium.FPDFAnnot_GetRect(annotation, place);
  const [x1, y1, x2, y2] = [floatAt(place), floatAt(place + 4), floatAt(place + 8), floatAt(place + 12)];
  return { left: Math.min(x1, x2), right: Math.max(x1, x2), bottom: Math.min(y1, y2), top: Math.max(y1, y2) };
}
