/** The message to a process that reads documents. It reads one document and then ends. */
export interface Document {
  readonly form: 'pdf' | 'html';
  readonly bytes: Uint8Array;
  /** The charset in the Content-Type of a page. */
  readonly charset: string | undefined;
  /** A text of more UTF-8 bytes is counted and not returned. */
  readonly maxTextBytes: number;
}

/** The answer of the process. A process that ends without an answer was stopped or ran out of memory. */
export type Reading =
  | { readonly kind: 'text'; readonly text: string }
  /** `size` is the size of the text that was read until the limit was exceeded; a PDF may have more. */
  | { readonly kind: 'too-large'; readonly size: number }
  | { readonly kind: 'unreadable'; readonly reason: string };
