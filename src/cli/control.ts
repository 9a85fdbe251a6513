import { chmodSync, closeSync, constants, openSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { UnusableDirectory } from '../database/private-directory.js';
import type { Outcome } from '../maintenance/command.js';
import type { OnLabelledProgress } from '../maintenance/fsck.js';

/**
 * Only one process can open the embedded database, so while the service runs, it executes the commands that need the
 * store. They are sent to a Unix socket that accepts one line of JSON, `{command, args}`, and answers with lines
 * `{progress: {label, done, total}}` and `{working: true}` until the last one, `{result: {ok, text, remains?}}` or `{error}`.
 * Everyone who can open the socket can run commands, so only its owner has access to its file.
 */
interface ControlRequest {
  readonly command: string;
  readonly args: readonly string[];
}

type ControlResult = Outcome;

export type ControlHandler = (args: readonly string[], onProgress: OnLabelledProgress) => Promise<ControlResult>;

type ControlAnswer =
  | { readonly working: true }
  | { readonly progress: { readonly label: string; readonly done: number; readonly total: number } }
  | { readonly result: ControlResult }
  | { readonly error: string };

/** The operating system cuts longer socket paths without an error. */
const maxSocketPath = 100;
const maxRequestBytes = 64 * 1024;

/** The interval at which the service reports that it is still working, so that a caller notices a service that hangs. */
const workingMs = 2000;
const defaultPatienceMs = 30_000;

/**
 * The socket of a data directory's service. It is in the directory itself, so that every path to the directory leads to it.
 */
export const controlPath = (dataDir: string): string => join(dataDir, 'control.sock');

/** A path of the socket that is short enough for the operating system. It is valid until `done` is called. */
function shortName(dataDir: string): { readonly path: string; done(): void } {
  const path = controlPath(dataDir);
  if (Buffer.byteLength(path) <= maxSocketPath) return { path, done: () => undefined };
  if (process.platform !== 'linux') {
    throw new UnusableDirectory(`${path} is too long for a socket. Set DATA_DIR to a shorter path.`);
  }
  // On Linux the path of an open descriptor is short, even if the path of its directory is long.
  const descriptor = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${descriptor}/control.sock`, done: () => closeSync(descriptor) };
}

/**
 * Serves commands in a data directory until it is closed. The caller has locked the store, so an existing socket file
 * belongs to a process that was killed, and is replaced.
 */
export async function serveControl(
  dataDir: string,
  handlers: ReadonlyMap<string, ControlHandler>,
): Promise<{ close(): Promise<void> }> {
  const { path, done } = shortName(dataDir);
  rmSync(path, { force: true });
  let busy = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // If the caller disconnects, the command is still finished.
    socket.on('error', () => undefined);
    const send = (answer: ControlAnswer) => {
      if (socket.writable) socket.write(`${JSON.stringify(answer)}\n`);
    };
    readRequest(socket)
      .then(async ({ command, args }) => {
        const handler = handlers.get(command);
        if (!handler) throw new Error(`The service does not know the command ${command}.`);
        if (busy) throw new Error('The service is busy with another maintenance command. Wait for it to end.');
        busy = true;
        const still = setInterval(() => send({ working: true }), workingMs);
        send({ working: true });
        try {
          send({ result: await handler(args, (label, done, total) => send({ progress: { label, done, total } })) });
        } finally {
          clearInterval(still);
          busy = false;
        }
      })
      .catch((error: unknown) => send({ error: error instanceof Error ? error.message : String(error) }))
      .finally(() => socket.end());
  });
  await listenPrivately(server, path);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          done();
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listenPrivately(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The file is created before listen returns. The mask makes it private from the beginning.
    const mask = process.umask(0o177);
    server.listen(path, () => {
      chmodSync(path, 0o600);
      resolve();
    });
    process.umask(mask);
  });
}

function readRequest(socket: Socket): Promise<ControlRequest> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('end', () => reject(new Error('The request ended before its line did.')));
    socket.on('data', (data) => {
      text += data.toString();
      if (text.length > maxRequestBytes) return reject(new Error('The request is too long.'));
      const end = text.indexOf('\n');
      if (end >= 0) resolve(parseRequest(text.slice(0, end)));
    });
  }).then((request) => {
    if (isRequest(request)) return request;
    throw new Error('The request is not {command, args}.');
  });
}

function parseRequest(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isRequest(value: unknown): value is ControlRequest {
  if (typeof value !== 'object' || value === null || !('command' in value) || !('args' in value)) return false;
  const { command, args } = value;
  return typeof command === 'string' && Array.isArray(args) && args.every((arg) => typeof arg === 'string');
}

/**
 * Runs a command in the service of a data directory.
 * @returns null when no service listens: the store is free, or its service is starting or stopping
 * @throws when the service could not run the command, ended before it answered, or was silent for `patienceMs`
 */
export async function callControl(
  dataDir: string,
  request: ControlRequest,
  onProgress: OnLabelledProgress,
  patienceMs = defaultPatienceMs,
): Promise<ControlResult | null> {
  const { path, done } = shortName(dataDir);
  try {
    const socket = await connect(path);
    return socket && (await ask(socket, request, onProgress, patienceMs));
  } finally {
    done();
  }
}

async function ask(
  socket: Socket,
  request: ControlRequest,
  onProgress: OnLabelledProgress,
  patienceMs: number,
): Promise<ControlResult> {
  let silent = false;
  // A stopped process accepts connections and never answers.
  socket.setTimeout(patienceMs, () => {
    silent = true;
    socket.destroy();
  });
  const lines = createInterface({ input: socket });
  socket.on('close', () => lines.close());
  socket.write(`${JSON.stringify(request)}\n`);
  try {
    for await (const line of lines) {
      const answer: ControlAnswer = JSON.parse(line);
      if ('progress' in answer) onProgress(answer.progress.label, answer.progress.done, answer.progress.total);
      else if ('result' in answer) return answer.result;
      else if ('error' in answer) throw new Error(answer.error);
    }
  } finally {
    socket.destroy();
  }
  if (silent) throw new Error('The service that holds the store does not answer. Look at that process first.');
  throw new Error('The service ended before the command did.');
}

function connect(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve(socket));
    socket.on('error', (error) => {
      const code = 'code' in error ? error.code : undefined;
      // There is no file, or it is the file of a process that was killed.
      if (code === 'ENOENT' || code === 'ECONNREFUSED') resolve(null);
      else reject(error);
    });
  });
}
