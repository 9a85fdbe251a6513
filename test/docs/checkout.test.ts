import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { packageRoot } from '../../src/base/package-root.js';
import { filesOf, pagePaths, readPage } from './documents.js';

/** A package that is installed under the name of another one, with the reason. */
const replaced: Readonly<Record<string, string>> = {
  request: 'the package of this name is not kept any more; Cypress keeps this copy of it',
};

const manifest = z.object({ overrides: z.record(z.string(), z.string()) });
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(packageRoot, name), 'utf8'));

describe('a checkout', () => {
  // @covers CHECKOUT-CLEAN
  it('stays clean for git and the linter when the commands of the pages were run in it', () => {
    const directory = mkdtempSync(join(tmpdir(), 'counterfoil-checkout-'));
    cpSync(join(packageRoot, '.gitignore'), join(directory, '.gitignore'));
    const git = (...args: string[]) => execFileSync('git', args, { cwd: directory, encoding: 'utf8' });
    git('init', '--quiet');
    const pages = ['README.md', ...pagePaths].map((path) => readPage(path));
    const written = pages.flatMap((text) => [
      ...[...text.matchAll(/(?:> |tee |-c )([\w.-]+\.(?:json|jsonl|mjs|js|ts|css))\b/g)].map(([, name = '']) => name),
      ...filesOf(text)
        .map(({ name }) => name)
        .filter((name) => /\.(json|jsonl|mjs|js|ts|css)$/.test(name)),
    ]);
    expect(written).toContain('proof.json');
    const names = [...new Set(written)].toSorted();
    const ignored = git('check-ignore', '--no-index', ...names)
      .trim()
      .split('\n')
      .toSorted();
    rmSync(directory, { recursive: true });
    expect(ignored).toEqual(names);
  });

  it('installs no package instead of another one without a reason', () => {
    const { overrides } = manifest.parse(readJson('package.json'));
    const others = Object.entries(overrides).filter(([, by]) => !by.startsWith('$'));
    expect(others.map(([name]) => name)).toEqual(Object.keys(replaced));
    expect(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')).not.toContain('empty-npm-package');
  });
});
