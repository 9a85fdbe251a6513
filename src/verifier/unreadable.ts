/** Thrown when the verifier cannot read its input. The message says for people what it cannot read and why. */
export class Unreadable extends Error {}

/** @returns the result of `read`, or the message of the Unreadable that it threw */
export function attempt<T extends object>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}
