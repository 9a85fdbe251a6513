import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { required } from './proxies.js';

const run = promisify(execFile);
const ops = join(packageRoot, 'ops');

/** The scripts of ops, by their first line. */
function scripts(): string[] {
  return readdirSync(ops, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file, 'utf8').startsWith('#!/usr/bin/env bash'));
}

// @covers OPS-SHELLCHECK
it('the scripts have no fault that shellcheck finds', async () => {
  const files = scripts();
  expect(files.length).toBeGreaterThan(8);
  const { stdout } = await run(required('SHELLCHECK'), ['-x', ...files], { cwd: packageRoot }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

// @covers DEPLOY-UNIT
it('the unit of systemd is valid, and its service has few rights', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-unit-'));
  const file = join(directory, 'counterfoil.service');
  const unit = readFileSync(join(ops, 'deploy/counterfoil.service'), 'utf8');
  writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
  const verified = await run('systemd-analyze', ['verify', file]);
  expect(`${verified.stdout}${verified.stderr}`).toBe('');
  const { stdout } = await run('systemd-analyze', ['security', '--offline=true', file]);
  const [, exposure] = /Overall exposure level for counterfoil\.service: ([\d.]+)/.exec(stdout) ?? [];
  // A service without any of these lines has 9.6.
  expect(Number(exposure)).toBeLessThan(2);
  rmSync(directory, { recursive: true });
});
