/** How much of a text is expected to the letter. */
export type Compare =
  /** Every line with its cells, which tabs separate. Empty lines do not count. */
  | 'cells'
  /** The words in their order. */
  | 'words'
  /** The words in any order, because a page says no order, such as that of a watermark among other text. */
  | 'bag'
  /** That these words are there, among others of which nothing is said, such as the marks of a list. */
  | 'kept';

export type Expected =
  | {
      readonly text: string;
      readonly compare: Compare;
      /** How many fields of a form have a value. */
      readonly form_fields?: number;
      /** Whether some of its characters cannot be read, which is reported. */
      readonly partly?: boolean;
    }
  | { readonly refused: 'no_text' | 'unreadable_pdf' | 'not_pdf' };

/** A file of the corpus. */
export interface PdfCase {
  readonly name: string;
  readonly bytes: Buffer;
  readonly expected: Expected;
}

export const words = (name: string, bytes: Buffer, text: string): PdfCase => ({
  name,
  bytes,
  expected: { text, compare: 'words' },
});
export const bag = (name: string, bytes: Buffer, text: string): PdfCase => ({
  name,
  bytes,
  expected: { text, compare: 'bag' },
});
export const kept = (name: string, bytes: Buffer, text: string): PdfCase => ({
  name,
  bytes,
  expected: { text, compare: 'kept' },
});
export const refused = (name: string, bytes: Buffer, refusal: 'no_text' | 'unreadable_pdf' | 'not_pdf'): PdfCase => ({
  name,
  bytes,
  expected: { refused: refusal },
});
