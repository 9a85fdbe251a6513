import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { stopOnSignals, stopSignals } from '../../src/cli/stop.js';

/** How a process ends that is sent these signals, and what it says. */
async function endOf(signals: readonly NodeJS.Signals[], close: () => Promise<void>) {
  const emitter = new EventEmitter();
  const codes: number[] = [];
  const said: string[] = [];
  let closes = 0;
  const counted = () => {
    closes += 1;
    return close();
  };
  const on = (signal: NodeJS.Signals, listener: () => void) => emitter.on(signal, listener);
  stopOnSignals({ on, exit: (code) => codes.push(code), say: (line) => said.push(line) }, counted, 50);
  for (const signal of signals) emitter.emit(signal);
  await pause(100);
  return { codes, said, closes };
}

test.each(stopSignals)('%s ends the service in order', async (signal) => {
  expect(await endOf([signal], () => pause(5))).toEqual({ codes: [0], said: [], closes: 1 });
});

test('a second signal changes nothing', async () => {
  expect(await endOf(['SIGTERM', 'SIGHUP', 'SIGINT'], () => pause(5))).toEqual({ codes: [0], said: [], closes: 1 });
});

test('work that is still running at the deadline ends with 1 and a sentence', async () => {
  const { codes, said } = await endOf(['SIGTERM'], () => new Promise(() => undefined));
  expect(codes).toEqual([1]);
  expect(said).toEqual([expect.stringMatching(/^counterfoil: Work was still running 0\.05 s after SIGTERM.*lost\.$/)]);
});

test('a close that fails ends with 1 and its reason', async () => {
  const { codes, said } = await endOf(['SIGHUP'], () => Promise.reject(new Error('the disk is gone')));
  expect(codes).toEqual([1]);
  expect(said).toEqual([expect.stringContaining('the disk is gone')]);
});
