import type { Assumed } from '../../../contracts/assumed.js';

/** The message to a process that reads documents. It reads one document and then ends. */
export interface Document {
  /** A text comes here only when it is not plain UTF-8. */
  readonly form: 'pdf' | 'html' | 'text';
  readonly bytes: Uint8Array;
  /** The declared media type with its charset; '' for none. */
  readonly contentType: string;
  /** A text of more UTF-8 bytes is counted and not returned. */
  readonly maxTextBytes: number;
}

/** The answer of the process. A process that ends without an answer was stopped or ran out of memory. */
export type Reading =
  | { readonly kind: 'text'; readonly text: string; readonly assumed?: Assumed }
  /** `size` is the size of the text that was read until the limit was exceeded; a PDF may have more. */
  | { readonly kind: 'too-large'; readonly size: number }
  | { readonly kind: 'unreadable'; readonly reason: string };
