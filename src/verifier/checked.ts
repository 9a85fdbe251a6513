import type { VerifierKey } from './note-key.js';
import { Unreadable } from './unreadable.js';
import { verifyBundle } from './verify.js';

/** What `checkBundle` is given. It can be cloned, so it may be sent to a thread. */
export interface Checking {
  readonly bytes: Uint8Array;
  readonly keys: readonly VerifierKey[];
}

/** The report as JSON text, which may be as long as the bundle, or why the bytes are no bundle. */
export type Checked = { readonly report: string } | { readonly unreadable: string };

/** `verifyBundle` for a thread, whose errors would arrive without their class. */
export function checkBundle({ bytes, keys }: Checking): Checked {
  try {
    return { report: JSON.stringify(verifyBundle(bytes, { keys })) };
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    throw error;
  }
}
