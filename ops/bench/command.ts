import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { peakMb } from './usage.js';

export interface Ran {
  /** The text that it printed. */
  readonly text: string;
  readonly seconds: number;
  /** The most memory that it held, in MiB. */
  readonly mostMb: number;
}

/** Runs a command of the service in a process of its own. @throws Error when it ends with another code than 0 */
export async function measureCommand(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const from = performance.now();
  const child = spawn(process.execPath, [join(packageRoot, 'dist/src/cli/main.js'), ...args], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data) => {
    text += String(data);
  });
  let mostMb = 0;
  const looking = setInterval(() => {
    mostMb = Math.max(mostMb, peakMb(child) || 0);
  }, 100);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(looking);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${text}`);
  return { text, seconds: (performance.now() - from) / 1000, mostMb };
}
