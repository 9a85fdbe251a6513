import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ControlHandler, callControl, controlPath, serveControl } from '../../src/cli/control.js';

let directory: string;
let closing: (() => Promise<void>) | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cf-'));
});
afterEach(async () => {
  await closing?.();
  closing = undefined;
  rmSync(directory, { recursive: true, force: true });
});

async function serve(handlers: Record<string, ControlHandler>): Promise<string> {
  const path = controlPath(directory);
  closing = (await serveControl(path, new Map(Object.entries(handlers)))).close;
  return path;
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
    const socket = createConnection(path, () => socket.write('nonsense\n'));
    socket.once('data', (data) => resolve(data.toString()));
  });
  expect(JSON.parse(answer)).toEqual({ error: 'The request is not {command, args}.' });
});

test('nobody serves: no file, or the file of a process that was killed', async () => {
  const path = controlPath(directory);
  expect(await callControl(path, { command: 'x', args: [] }, ignore)).toBeNull();
  writeFileSync(path, '');
  expect(await callControl(path, { command: 'x', args: [] }, ignore)).toBeNull();
  await serve({ x: async () => ({ ok: true, text: 'served' }) });
  expect(await callControl(path, { command: 'x', args: [] }, ignore)).toEqual({ ok: true, text: 'served' });
});

test('the socket is its owner’s alone', async () => {
  expect(statSync(await serve({})).mode & 0o777).toBe(0o600);
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

test('a path too long for a socket becomes a short one of this user', () => {
  const long = join(directory, 'x'.repeat(120));
  const path = controlPath(long);
  expect(path.length).toBeLessThan(100);
  expect(controlPath(long)).toBe(path);
  expect(controlPath(`${long}y`)).not.toBe(path);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
});
