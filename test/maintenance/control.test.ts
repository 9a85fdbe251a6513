import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ControlHandler, callControl, controlPath, serveControl } from '../../src/cli/control.js';

let directory: string;
let root: string;
let closing: (() => Promise<void>) | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cf-'));
  directory = root;
});
afterEach(async () => {
  await closing?.();
  closing = undefined;
  rmSync(root, { recursive: true, force: true });
});

async function serve(handlers: Record<string, ControlHandler>): Promise<string> {
  closing = (await serveControl(directory, new Map(Object.entries(handlers)))).close;
  return directory;
}
const ignore = () => undefined;

test('progress comes while the command runs, then its result', async () => {
  const path = await serve({
    count: async (args, onProgress) => {
      onProgress('counting', 1, 2);
      onProgress('counting', 2, 2);
      return { ok: false, text: args.join(' ') };
    },
  });
  const seen: unknown[] = [];
  const result = await callControl(path, { command: 'count', args: ['a', 'b'] }, (...progress) => seen.push(progress));
  expect(result).toEqual({ ok: false, text: 'a b' });
  expect(seen).toEqual([
    ['counting', 1, 2],
    ['counting', 2, 2],
  ]);
});

test('an error comes back as an error, also for commands and lines that mean nothing', async () => {
  const path = await serve({
    fail: () => Promise.reject(new Error('it cannot be done')),
  });
  await expect(callControl(path, { command: 'fail', args: [] }, ignore)).rejects.toThrow('it cannot be done');
  await expect(callControl(path, { command: 'toString', args: [] }, ignore)).rejects.toThrow('does not know');
  const answer = await new Promise<string>((resolve) => {
    const socket = createConnection(controlPath(directory), () => socket.write('nonsense\n'));
    socket.once('data', (data) => resolve(data.toString()));
  });
  expect(JSON.parse(answer)).toEqual({ error: 'The request is not {command, args}.' });
});

test('no one serves: no file, or the file of a process that was killed', async () => {
  expect(await callControl(directory, { command: 'x', args: [] }, ignore)).toBeNull();
  writeFileSync(controlPath(directory), '');
  expect(await callControl(directory, { command: 'x', args: [] }, ignore)).toBeNull();
  await serve({ x: async () => ({ ok: true, text: 'served' }) });
  expect(await callControl(directory, { command: 'x', args: [] }, ignore)).toEqual({ ok: true, text: 'served' });
});

test('the socket is its owner’s alone', async () => {
  expect(statSync(controlPath(await serve({}))).mode & 0o777).toBe(0o600);
});

test('a second command is refused while one runs', async () => {
  let finish: () => void = ignore;
  let started: () => void = ignore;
  const running = new Promise<void>((resolve) => {
    started = () => resolve();
  });
  const path = await serve({
    long: () =>
      new Promise((resolve) => {
        finish = () => resolve({ ok: true, text: 'done' });
        started();
      }),
  });
  const first = callControl(path, { command: 'long', args: [] }, ignore);
  await running;
  await expect(callControl(path, { command: 'long', args: [] }, ignore)).rejects.toThrow('busy');
  finish();
  expect(await first).toEqual({ ok: true, text: 'done' });
});

test('a service that ends in the middle is not mistaken for a result', async () => {
  const path = await serve({
    long: () => {
      setImmediate(() => void closing?.());
      return new Promise(() => undefined);
    },
  });
  await expect(callControl(path, { command: 'long', args: [] }, ignore)).rejects.toThrow('ended before');
});

test.each([
  20, 120, 200,
])('a service in a directory whose name has %d characters is reached by every path', async (length) => {
  const temporary = process.env.TMPDIR;
  const other = join(directory, 'link');
  directory = join(directory, 'x'.repeat(length));
  mkdirSync(directory);
  symlinkSync(directory, other);
  await serve({ x: async () => ({ ok: true, text: 'served' }) });
  expect(statSync(controlPath(other)).mode & 0o777).toBe(0o600);
  try {
    process.env.TMPDIR = '/nowhere';
    for (const path of [directory, other]) {
      expect(await callControl(path, { command: 'x', args: [] }, ignore)).toEqual({ ok: true, text: 'served' });
    }
  } finally {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
  }
  await closing?.();
  closing = undefined;
  expect(existsSync(join(other, 'control.sock'))).toBe(false);
});

test('a service that has been stopped is waited for no longer than patience lasts', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(controlPath(directory), resolve));
  closing = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await expect(callControl(directory, { command: 'x', args: [] }, ignore, 100)).rejects.toThrow('does not answer');
});
