import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';

/** An installation with the real beginning of the program, whose rest says from where it was loaded. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'counterfoil-bundle-'));
  for (const file of ['cli/main.js', 'cli/node-version.js', 'base/built-file.js', 'base/package-root.js'])
    cpSync(join(packageRoot, 'dist/src', file), join(root, 'dist/src', file));
  write('package.json', '{ "type": "module" }');
  write('dist/src/cli/run.js', "console.log('compiled')");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string, seconds = 1000): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, seconds, seconds);
}

const run = () => execFileSync(process.execPath, [join(root, 'dist/src/cli/main.js')], { encoding: 'utf8' }).trim();

it('runs what was compiled where there is no bundle', () => {
  expect(run()).toBe('compiled');
});

it('runs the bundle that was made of what was compiled last, and no older one', () => {
  write('dist/bundle/cli/run.js', "console.log('bundle')", 2000);
  expect(run()).toBe('bundle');
  write('dist/types.tsbuildinfo', '', 2000);
  expect(run()).toBe('bundle');
  write('dist/types.tsbuildinfo', '', 2001);
  expect(run()).toBe('compiled');
});
