import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answering } from '../load.js';
import type { Measured } from '../usage.js';

/** A server of this machine that a bench sends requests to. */
export interface System extends Answering {
  readonly process: Measured;
  stop(): Promise<void>;
}

/** @param installed where install.sh has put the peers */
export const startTessera = (installed: string, directory: string): Promise<System> =>
  start([join(installed, 'tessera/peer'), '8197', directory], 8197);

export const startLanceDb = (installed: string, directory: string): Promise<System> =>
  start([process.execPath, join(installed, 'lancedb/lancedb.mjs'), '8198', directory], 8198);

export const startChroma = (installed: string, directory: string): Promise<System> =>
  start(
    [join(installed, 'chroma/bin/chroma'), 'run', '--path', directory, '--host', '127.0.0.1', '--port', '8199'],
    8199,
  );

async function start([program = '', ...args]: readonly string[], port: number): Promise<System> {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', ANONYMIZED_TELEMETRY: 'False' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await answers(origin)); tries += 1) {
    if (child.exitCode !== null || tries > 600) throw new Error(`${program} does not answer`);
    await pause(50);
  }
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { origin, key: '', process: child, stop };
}

const answers = (origin: string) =>
  fetch(origin).then(
    () => true,
    () => false,
  );
