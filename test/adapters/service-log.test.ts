import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { type LogFile, openDescriptor, serviceLog } from '../../src/adapters/service-log.js';
import { until } from '../support/until.js';

const full = openSync('/dev/full', 'w');
afterAll(() => closeSync(full));

/** A file of a disk that can be full, and takes some bytes at a time. */
function disk() {
  const state = { isFull: false, text: '' };
  const take = (bytes: Uint8Array): number => {
    if (state.isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const taken = Buffer.from(bytes.subarray(0, 7));
    state.text += taken.toString('latin1');
    return taken.length;
  };
  const file: LogFile = {
    writeSync: take,
    write(bytes, done) {
      setImmediate(() => {
        try {
          done(null, take(bytes));
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)), 0);
        }
      });
    },
  };
  return { state, file };
}

test('lines that wait for space are written in their order, and both changes are said once', async () => {
  const { state, file } = disk();
  const said: string[] = [];
  const log = serviceLog(file, (sentence) => said.push(sentence));
  const lines = Array.from({ length: 9 }, (_, n) => `{"line":${n}}\n`);
  for (const [n, line] of lines.entries()) {
    state.isFull = n >= 3 && n < 8;
    log.write(line);
    await pause(5);
  }
  await until(() => said.length === 2);
  expect(state.text).toBe(lines.join(''));
  expect(said).toEqual([
    expect.stringContaining('cannot be written: ENOSPC'),
    'counterfoil: The log is written again. 0 lines of it were lost.',
  ]);
});

test('what waits is bounded, and what was lost is counted', async () => {
  const { state, file } = disk();
  const said: string[] = [];
  const log = serviceLog(
    { ...file, write: (bytes, done) => file.write(bytes, (error) => done(error, bytes.length)) },
    (sentence) => said.push(sentence),
  );
  state.isFull = true;
  for (let n = 0; n < 30; n += 1) log.write('x'.repeat(1024 * 1024));
  await until(() => said.length === 1);
  state.isFull = false;
  await until(() => said.length === 2);
  expect(said[1]).toMatch(/^counterfoil: The log is written again\. 2\d lines of it were lost\.$/);
});

test('the end of the process writes what waits, and does not wait for a full disk', () => {
  const { state, file } = disk();
  const log = serviceLog({ ...file, write: () => undefined }, () => undefined);
  log.write('being written\n');
  log.write('waits\n');
  log.flushSync();
  expect(state.text).toBe('waits\n');

  const said: string[] = [];
  const lost = serviceLog({ ...openDescriptor(full), write: () => undefined }, (sentence) => said.push(sentence));
  lost.write('being written\n');
  lost.write('lost\n');
  lost.flushSync();
  expect(said).toEqual([expect.stringContaining('ENOSPC')]);
});
