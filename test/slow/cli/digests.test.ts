import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { quickDirectory } from '../../support/memory-disk.js';

let root: string;
beforeAll(() => {
  root = quickDirectory();
  mkdirSync(join(root, 'ops'));
  mkdirSync(join(root, 'bin'));
  for (const path of ['ops/digests.sh', 'ops/versions.json']) cpSync(join(packageRoot, path), join(root, path));
  program('npm', 'echo "$@" >> "$0.asked"');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function program(name: string, script: string): void {
  const path = join(root, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

const run = (...args: string[]) =>
  execFileSync(join(root, 'ops/digests.sh'), args, {
    env: { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const table = (): string => readFileSync(join(root, 'ops/versions.json'), 'utf8');

it('adds the digest of every image once, removes them again, and changes nothing else', () => {
  const before = table();
  program('docker', 'echo "$5 $6" >> "$0.asked"; echo "sha256:$(printf %064d 7)"');
  expect(run().trim().split('\n')).toHaveLength(Object.keys(JSON.parse(before)).length);
  const digests = Object.values<{ digest: string }>(JSON.parse(table())).map(({ digest }) => digest);
  expect(new Set(digests)).toEqual(new Set([`sha256:${'7'.padStart(64, '0')}`]));
  expect(readFileSync(join(root, 'bin/npm.asked'), 'utf8')).toBe('run --silent docs\n');
  expect(run()).toBe('');
  run('--remove');
  expect(JSON.parse(table())).toEqual(JSON.parse(before));
});

it('stops at an answer that is no digest', () => {
  program('docker', 'echo "no such manifest" ');
  expect(() => run()).toThrow(/docker gives no digest for node:/);
});
