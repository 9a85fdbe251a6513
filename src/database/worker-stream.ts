import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';

/** AuthenticationOk and ReadyForQuery: the answer of a server to a startup message when it needs no password. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
/** Terminate. It is not sent, because the worker is closed by a message of its own after all requests. */
const terminate = 0x58;

/** The last message of a thread whose engine has failed. */
export interface Failed {
  readonly failed: string;
}

/**
 * A connection of the PostgreSQL protocol to the database in a worker thread, for a client that expects a socket. All
 * statements of one iteration of the event loop are sent as one message, and so are their answers: separate messages
 * took a tenth of the processor time of a write.
 * @param failure the reason why the thread has ended or is about to end; without it a client would wait forever for a
 * thread that has ended
 * @param sent is called for each message to the thread
 */
export function workerStream(worker: Worker, failure: () => Error | undefined, sent: () => void): Duplex {
  let welcomed = false;
  let unsent: Buffer[] = [];
  const flush = () => {
    worker.postMessage(Buffer.concat(unsent));
    sent();
    unsent = [];
  };
  const send = (bytes: Buffer) => {
    if (!welcomed) {
      welcomed = true;
      stream.push(welcome);
    } else if (bytes[0] !== terminate) {
      // Behind the statements that wait until the end of this iteration to be sent as one (`together.ts`).
      if (unsent.length === 0) process.nextTick(process.nextTick, flush);
      unsent.push(bytes);
    }
  };
  const receive = (message: Uint8Array | Failed) => {
    if (!('failed' in message)) stream.push(message);
  };
  const fail = (error: Error) => stream.destroy(error);
  const ended = () => stream.destroy(failure() ?? new Error('the embedded database is closed'));

  const stream: Duplex = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      send(chunk);
      done();
    },
    writev(chunks, done) {
      for (const { chunk } of chunks) send(chunk);
      done();
    },
    final(done) {
      stream.push(null);
      done();
    },
    destroy(error, done) {
      worker.off('message', receive).off('error', fail).off('exit', ended);
      done(error);
    },
  });
  worker.on('message', receive).on('error', fail).on('exit', ended);
  const nothing = () => stream;
  return Object.assign(stream, {
    connect: () =>
      process.nextTick(() => {
        const gone = failure();
        if (gone) stream.destroy(gone);
        else stream.emit('connect');
      }),
    setNoDelay: nothing,
    setKeepAlive: nothing,
    ref: nothing,
    unref: nothing,
  });
}
