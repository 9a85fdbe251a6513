import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** How many characters of lines wait at most to be written. Later lines are lost. */
const mostWaiting = 8 * 1024 * 1024;
/** The pause after a write that failed. */
const pauseMs = 1000;
/** How long the end of the process waits for a reader that takes nothing at the moment. */
const lastMs = 500;

/** The calls of Node's file system that it makes. */
export interface LogFile {
  write(bytes: Uint8Array, done: (error: Error | null, written: number) => void): void;
  writeSync(bytes: Uint8Array): number;
}

interface ServiceLog extends DestinationStream {
  /** Writes what is waiting, for the end of the process. What cannot be written then is lost. */
  flushSync(): void;
}

export const openDescriptor = (descriptor: number): LogFile => ({
  write: (bytes, done) => write(descriptor, bytes, done),
  writeSync: (bytes) => writeSync(descriptor, bytes),
});

/**
 * Writes the lines of the log without delaying the service, and continues where the log cannot be written: a service that answers
 * without a log is worth more than one that has ended. Pino's own destination ends the process by an error without a
 * listener, and then tries again forever what a full disk does not take.
 * @param say informs the operator, once, that lines are lost, and once that the log is written again
 */
export function serviceLog(file: LogFile, say: (sentence: string) => void): ServiceLog {
  let waiting = '';
  let rest: Uint8Array = Buffer.alloc(0);
  let state: 'idle' | 'writing' | 'pausing' = 'idle';
  let hasSaid = false;
  let lost = 0;

  function complain(reason: string): void {
    if (hasSaid) return;
    hasSaid = true;
    say(`counterfoil: The log cannot be written: ${reason}. The service continues, and lines of its log may be lost.`);
  }

  function next(): void {
    if (rest.length === 0) [rest, waiting] = [Buffer.from(waiting), ''];
    if (rest.length > 0) {
      state = 'writing';
      file.write(rest, written);
      return;
    }
    state = 'idle';
    if (hasSaid) say(`counterfoil: The log is written again. ${lost} lines of it were lost.`);
    [hasSaid, lost] = [false, 0];
  }

  function written(error: Error | null, bytes: number): void {
    if (error === null) {
      rest = rest.subarray(bytes);
      next();
      return;
    }
    state = 'pausing';
    // A pipe that is full for a moment is no fault.
    if (!isBusy(error)) complain(error.message);
    setTimeout(next, pauseMs).unref();
  }

  return {
    write(line) {
      if (waiting.length > mostWaiting) {
        lost += 1;
        complain('what reads it takes nothing');
        return;
      }
      waiting += line;
      if (state === 'idle') next();
    },
    flushSync() {
      // What is being written is finished by the thread that writes it.
      const last = state === 'writing' ? [] : rest;
      const bytes = Buffer.concat([Buffer.from(last), Buffer.from(waiting)]);
      [rest, waiting] = [Buffer.alloc(0), ''];
      try {
        writeAll(file, bytes);
      } catch (error) {
        complain(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

function writeAll(file: LogFile, bytes: Uint8Array): void {
  const until = performance.now() + lastMs;
  for (let from = 0; from < bytes.length; ) {
    try {
      from += file.writeSync(bytes.subarray(from));
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

const isBusy = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';
