/** What the verifier was given cannot be read at all. The message is a sentence for people that says what and why. */
export class Unreadable extends Error {}

/** @returns what was read, or the sentence that says why it cannot be */
export function attempt<T extends object>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}
