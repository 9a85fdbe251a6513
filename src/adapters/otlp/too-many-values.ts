/**
 * An export has more values than are read. A value is a message, a list or anything in one, also one that is skipped: a body of 64 kB
 * unfolds to 33 million empty messages, which take half a minute.
 */
export class TooManyValues extends Error {
  constructor(most: number) {
    super(`it has more than ${most} values`);
  }
}
