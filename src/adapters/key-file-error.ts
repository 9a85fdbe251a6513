/** Thrown when a file beside the signing keys, or theirs, cannot be used. The message says what to do. */
export class KeyFileError extends Error {
  override name = 'KeyFileError';
}
