import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/package-root.js';

/** `counterfoil fsck` as a process of its own: how many entries a second, and the most memory that it held. */
export async function measureFsck(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<(string | number)[][]> {
  const from = performance.now();
  const child = spawn(process.execPath, [join(packageRoot, 'dist/src/cli/main.js'), 'fsck'], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (data) => {
    said += String(data);
  });
  let mostMb = 0;
  const looking = setInterval(() => {
    mostMb = Math.max(mostMb, peakMb(child.pid));
  }, 100);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(looking);
  const seconds = (performance.now() - from) / 1000;
  const entries = Number(/in (\d+) entries/.exec(said)?.[1]);
  if (code !== 0) throw new Error(`fsck ended with ${code}: ${said}`);
  return [
    ['fsck of entries', 's', 'per second', 'at most MB'],
    [entries, seconds.toFixed(1), (entries / seconds).toFixed(0), mostMb],
  ];
}

/** The system knows the most that a process has held; a process that has just ended has none. */
function peakMb(pid: number | undefined): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024) || 0;
  } catch {
    return 0;
  }
}
