import type { VerifierKey } from './note.js';
import { Unreadable } from './unreadable.js';
import { verifyBundle } from './verify.js';

/** The input of `checkBundle`. It can be cloned, so it can be sent to a thread. */
export interface Checking {
  readonly bytes: Uint8Array;
  readonly keys: readonly VerifierKey[];
}

/** The report as JSON text, which may be as long as the bundle, or the reason why the bytes are not a bundle. */
export type Checked = { readonly report: string } | { readonly unreadable: string };

/**
 * Calls `verifyBundle` in a thread and returns errors as values, because a thrown error would arrive without its class.
 */
export function checkBundle({ bytes, keys }: Checking): Checked {
  try {
    return { report: JSON.stringify(verifyBundle(bytes, { keys })) };
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    throw error;
  }
}
