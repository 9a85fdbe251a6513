/** What a process that reads a document is sent; one document, and then it ends. */
export interface Document {
  readonly form: 'pdf' | 'html';
  readonly bytes: Uint8Array;
  /** The charset that came with a page. */
  readonly charset: string | undefined;
  /** Text of more UTF-8 bytes is counted and not sent back. */
  readonly maxTextBytes: number;
}

/** What it answers. A process that ends without an answer was stopped, or ran out of memory. */
export type Reading =
  | { readonly kind: 'text'; readonly text: string }
  /** `size` is what was found until it was enough; a PDF may hold more. */
  | { readonly kind: 'too-large'; readonly size: number }
  | { readonly kind: 'unreadable'; readonly reason: string };
