import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';

const main = join(packageRoot, 'dist/src/cli/main.js');
const sentence = /^counterfoil: The output could not be written completely: .+\.\n$/;

describe('the output of a command', () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-output-'));
  const full = openSync('/dev/full', 'w');
  afterAll(() => {
    closeSync(full);
    rmSync(directory, { recursive: true });
  });
  const environment = { cwd: directory, env: { NO_COLOR: '1', DATA_DIR: directory, PATH: process.env.PATH } };
  const run = (args: readonly string[], stdout: number | 'pipe', stderr: number | 'pipe') =>
    spawnSync(process.execPath, [main, ...args], { ...environment, stdio: ['ignore', stdout, stderr] });

  it.each([[['--help']], [['verify', '--help']]])('%s on a full disk is an error with a sentence', (args) => {
    const { status, stderr } = run(args, full, 'pipe');
    expect(stderr.toString()).toMatch(sentence);
    expect(status).toBe(2);
  });

  it('is an error too when errors cannot be shown', () => {
    expect(run(['verify', 'missing.json'], 'pipe', full).status).toBe(2);
    expect(run(['--help'], full, full).status).toBe(2);
  });

  it('is an error when the disk becomes full within it', () => {
    const script = 'ulimit -f 1; exec "$0" "$@" > cut.txt';
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, main, '--help'], environment);
    expect(statSync(join(directory, 'cut.txt')).size).toBeGreaterThan(0);
    expect(stderr.toString()).toMatch(sentence);
    expect(status).toBe(2);
  });

  it('may be more than its reader wants', () => {
    const script = 'set -o pipefail; "$0" "$@" | true';
    const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, main, '--help'], environment);
    expect(stderr.toString()).not.toContain('counterfoil:');
    expect(status).toBe(0);
  });
});
