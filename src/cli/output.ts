import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { isatty } from 'node:tty';

/** Standard output and standard error of a command. */
interface Output {
  readonly stdout: Writable;
  readonly stderr: Writable;
  /**
   * Waits until everything was written.
   * @returns a sentence when something could not be written; null also when the reader wanted no more, such as `head`
   */
  finish(): Promise<string | null>;
}

type Standard = Writable & { readonly fd: number };

/**
 * Remembers the first write that fails. Without this a command on a full disk would look successful: Node's console drops the
 * errors of its streams.
 */
export function openOutput(standardOut: Standard, standardErr: Standard): Output {
  const [stdout, stderr] = [wholeWrites(standardOut), wholeWrites(standardErr)];
  let failure: Error | null = null;
  // Node's console writes to the streams that were given, and an error of theirs without a listener ends the process.
  for (const stream of new Set([stdout, stderr, standardOut, standardErr])) {
    stream.on('error', (error) => {
      failure ??= error;
    });
  }
  return {
    stdout,
    stderr,
    async finish() {
      await Promise.all([written(stdout), written(stderr)]);
      if (failure === null || isClosedByReader(failure)) return null;
      return `The output could not be written completely: ${failure.message}.`;
    },
  };
}

/**
 * The same stream, or for a file another one: what Node writes to a file with one call is cut without an error when the disk
 * becomes full within it.
 */
function wholeWrites(stream: Standard): Writable {
  const { fd } = stream;
  const stat = fstatSync(fd);
  if (isatty(fd) || !(stat.isFile() || stat.isCharacterDevice())) return stream;
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      try {
        for (let from = 0; from < chunk.length; ) from += writeSync(fd, chunk, from);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}

/** The callback of an empty write comes after those of all earlier ones, with an error where the stream has failed. */
const written = (stream: Writable) => new Promise<void>((resolve) => stream.write('', () => resolve()));

/** Whether the other end of a pipe or socket was closed, as `head` does when it has enough. */
export const isClosedByReader = (error: Error): boolean =>
  'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET');
