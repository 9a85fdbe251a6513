import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { shortLived } from '../support/short-lived.js';

/** The program that the last build has made. */
export const main = join(packageRoot, 'dist/src/cli/main.js');

/** The same for Node. */
export const program: readonly string[] = [...shortLived, main];

/** The service as a process of its own, which can be killed. */
export interface Service {
  readonly origin: string;
  kill(): Promise<void>;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
  /** Its exit code; null while it runs, and when it was killed. */
  exitCode(): number | null;
  /** Stops it in the middle of its work until it is resumed. */
  pause(): void;
  resume(): void;
}

/** Nothing of the test runner's own environment: it has a BASE_URL, and a DATABASE_URL that only one of the stores uses. */
export const bare = { PATH: process.env.PATH ?? '' };

/** @param files how many files the process may have open */
export async function start(env: Record<string, string>, files?: number): Promise<Service> {
  const limit = files === undefined ? '' : `ulimit -n ${files}; `;
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...program, 'serve'], {
    // As it is by default, but for a log on a server, which begins only under an address that is set.
    env: { ...bare, BASE_URL: `http://127.0.0.1:${env.PORT ?? 8080}`, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  for (let tries = 0; ; tries += 1) {
    const [, origin] = /listens on (\S+)/.exec(said) ?? [];
    if (origin !== undefined) {
      return {
        origin,
        kill: () => end('SIGKILL'),
        stop: () => end('SIGTERM'),
        exitCode: () => child.exitCode,
        pause: () => child.kill('SIGSTOP'),
        resume: () => child.kill('SIGCONT'),
      };
    }
    if (child.exitCode !== null || tries > 4800) throw new Error(`the service does not start:\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
