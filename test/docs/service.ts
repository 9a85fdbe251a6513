import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../faults/free-port.js';
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
  // Its clients of MCP have to name the port of BASE_URL, which is this one.
  const PORT = String(await freePort());
  const env = { PATH: process.env.PATH ?? '', HOME: directory, DATA_DIR: join(directory, 'data'), PORT };
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
    if (child.exitCode !== null || tries > 4800) {
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
