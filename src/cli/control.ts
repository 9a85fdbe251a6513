import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { OnLabelledProgress } from '../maintenance/fsck.js';

/**
 * The embedded database lets one process in, so while the service runs, commands that need the store go to it: a unix
 * socket that takes one line of JSON, `{command, args}`, and answers lines `{progress: {label, done, total}}` until a last
 * one, `{result: {ok, text}}` or `{error}`. Who may open the socket may run commands: its file is the owner's alone.
 */
export interface ControlRequest {
  readonly command: string;
  readonly args: readonly string[];
}

export interface ControlResult {
  readonly ok: boolean;
  readonly text: string;
}

export type ControlHandler = (args: readonly string[], onProgress: OnLabelledProgress) => Promise<ControlResult>;

type ControlAnswer =
  | { readonly progress: { readonly label: string; readonly done: number; readonly total: number } }
  | { readonly result: ControlResult }
  | { readonly error: string };

/** Socket paths longer than this are cut off by the operating system without an error. */
const maxSocketPath = 100;
const maxRequestBytes = 64 * 1024;

/** Where the service of a data directory listens. A path that is too long becomes a short one that follows from it. */
export function controlPath(dataDir: string): string {
  const path = join(dataDir, 'control.sock');
  if (Buffer.byteLength(path) <= maxSocketPath) return path;
  const { uid } = userInfo();
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 24);
  const directory = join(tmpdir(), `counterfoil-${uid}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // The temporary directory is everybody's: somebody else may have made ours first, to listen there in our name.
  const made = lstatSync(directory);
  if (!made.isDirectory() || made.uid !== uid || (made.mode & 0o077) !== 0) {
    throw new Error(`${directory} is not a directory of this user alone, so no control socket can be there.`);
  }
  return join(directory, `${digest}.sock`);
}

/**
 * Serves commands at `path` until closed. The caller holds the store, so a socket file that is there already is what a
 * killed process left, and is replaced.
 */
export async function serveControl(
  path: string,
  handlers: ReadonlyMap<string, ControlHandler>,
): Promise<{ close(): Promise<void> }> {
  rmSync(path, { force: true });
  let busy = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Who asked may go away; what was begun is finished all the same.
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
        try {
          send({ result: await handler(args, (label, done, total) => send({ progress: { label, done, total } })) });
        } finally {
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
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listenPrivately(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The mask makes the file private from its first moment; it is made before listen returns.
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
 * Asks the service at `path` to run a command.
 * @returns null when nobody serves there: the store is free
 * @throws when the service could not run the command, or ended before it answered
 */
export async function callControl(
  path: string,
  request: ControlRequest,
  onProgress: OnLabelledProgress,
): Promise<ControlResult | null> {
  const socket = await connect(path);
  if (socket === null) return null;
  socket.write(`${JSON.stringify(request)}\n`);
  try {
    for await (const line of createInterface({ input: socket })) {
      const answer: ControlAnswer = JSON.parse(line);
      if ('progress' in answer) onProgress(answer.progress.label, answer.progress.done, answer.progress.total);
      else if ('result' in answer) return answer.result;
      else throw new Error(answer.error);
    }
  } finally {
    socket.destroy();
  }
  throw new Error('The service ended before the command did.');
}

function connect(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve(socket));
    socket.on('error', (error) => {
      const code = 'code' in error ? error.code : undefined;
      // No file, or the file of a process that was killed.
      if (code === 'ENOENT' || code === 'ECONNREFUSED') resolve(null);
      else reject(error);
    });
  });
}
