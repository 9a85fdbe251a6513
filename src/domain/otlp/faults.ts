import { WrongMember } from './status.js';

/** The members of a span that a decoder did not understand, each as the end of a sentence about the span. */
export interface Faults {
  /** Names one for which the span is refused. */
  add(fault: string): void;
  /** Names one that the span is read without, or in another form. */
  note(remark: string): void;
  /** Does a part of the reading. A WrongMember becomes a fault. */
  attempt(read: () => void): void;
  /** Both lists, where they are not empty. */
  found(): { readonly wrong?: string; readonly noted?: readonly string[] };
}

export function createFaults(): Faults {
  const wrong: string[] = [];
  const noted: string[] = [];
  return {
    add: (fault) => void wrong.push(fault),
    note: (remark) => void noted.push(remark),
    attempt(read) {
      try {
        read();
      } catch (error) {
        if (!(error instanceof WrongMember)) throw error;
        wrong.push(error.message);
      }
    },
    found: () => ({ ...(wrong[0] !== undefined && { wrong: wrong[0] }), ...(noted.length > 0 && { noted }) }),
  };
}
