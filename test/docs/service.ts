import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { program } from '../faults/service-process.js';

/** A service as its first start prints it. */
export interface Printed {
  readonly env: Readonly<Record<string, string>>;
  readonly address: string;
  readonly key: string;
  readonly password: string;
  /** @returns the exit code */
  stop(): Promise<number | null>;
}

/** Starts the built service as a reader does: in an empty directory, without the environment of the test runner. */
export async function startPrinted(directory: string): Promise<Printed> {
  const env = { PATH: process.env.PATH ?? '', HOME: directory, DATA_DIR: join(directory, 'data'), PORT: '0' };
  const child = spawn(process.execPath, [...program, 'serve'], {
    cwd: directory,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (data) => {
    output += data;
  });
  for (let tries = 0; !output.includes('Counterfoil listens on'); tries += 1) {
    if (child.exitCode !== null || tries > 1200) {
      child.kill('SIGKILL');
      throw new Error(`the service does not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const shown = (pattern: RegExp) => pattern.exec(output)?.[1] ?? '';
  return {
    env,
    address: shown(/listens on (\S+)/),
    key: shown(/API key +(\S+)/),
    password: shown(/password +(\S+)/),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
