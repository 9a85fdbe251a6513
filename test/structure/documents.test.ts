import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { anchorOf } from '../../ops/build/developers/anchors.js';
import { packageRoot } from '../../src/base/package-root.js';
import { pagePaths, readPage } from '../docs/documents.js';

const pages = ['CONTRIBUTING.md', ...pagePaths].map((path) => ({ path, text: readPage(path) }));
const everything = pages.map(({ text }) => text).join('\n');

/** The first group of every match, once. */
function named(pattern: RegExp, text = everything): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();
}

/** The anchors of a page. A comment in a block of commands looks like a heading and has none. */
function anchorsOf(text: string): string[] {
  const prose = text.replaceAll(/^\s*```.*?^\s*```$/gms, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

describe('the names in the documentation are of things that exist', () => {
  it('npm scripts, and each script is described', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readPage('package.json')));
    const mentioned = [...named(/npm run ([\w:]+)/g), ...named(/npm (start|test)\b/g)];
    expect(mentioned.filter((name) => scripts[name] === undefined)).toEqual([]);
    // npm runs the scripts that begin with pre before others.
    expect(Object.keys(scripts).filter((name) => !name.startsWith('pre') && !mentioned.includes(name))).toEqual([]);
  });

  it('commands', () => {
    const known = named(/^## counterfoil ([\w-]+)$/gm, readPage('docs/reference/cli.md'));
    expect(known.length).toBeGreaterThan(8);
    const mentioned = named(/(?:`counterfoil|^counterfoil|cli\/main\.js) ([\w-]+)/gm);
    expect(mentioned.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('benchmarks, and each benchmark is described', () => {
    const known = named(/^ {2}'?([\w-]+)'?: \(\) => bench/gm, readPage('ops/bench/main.ts'));
    expect(known.length).toBeGreaterThan(0);
    expect(named(/npm run bench -- (\w[\w-]*)/g)).toEqual(known);
  });

  it('routes', () => {
    const { paths } = z
      .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(parse(readPage('contracts/openapi.yaml')));
    const built = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const mentioned = named(/(\b(?:GET|POST|PUT|PATCH|DELETE) \/v1\/[\w/{}-]+(?:\.\w+)?)/g);
    expect(mentioned.length).toBeGreaterThan(30);
    expect(mentioned.filter((route) => !built.includes(route))).toEqual([]);
  });

  it('files and folders', () => {
    const folders = ['.ci', 'contracts', 'dist', 'docs', 'ops', 'projections', 'src', 'test'];
    const known = [
      ...readdirSync(packageRoot),
      ...folders.flatMap((folder) =>
        readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' }).map(
          (name) => `${folder}/${name}`,
        ),
      ),
    ];
    const mentioned = named(/(?<![\w./:-])((?:\.ci|contracts|dist|ops|projections|src|test)\/[\w./*<>-]*)/g);
    const isThere = (path: string) => {
      const pattern = path
        .replace(/[/.]$/, '')
        .replaceAll('.', '\\.')
        .replaceAll(/\*|<\w+>/g, '[^/]+');
      return known.some((one) => new RegExp(`^${pattern}$`).test(one));
    };
    expect(mentioned.length).toBeGreaterThan(20);
    expect(mentioned.filter((path) => !isThere(path))).toEqual([]);
  });

  it.each(pages)('links of $path', ({ path, text }) => {
    const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`]*`/g, '');
    const links = [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^https:/.test(link)) return false;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : normalize(join(dirname(path), file));
      const page = pages.find((one) => one.path === target);
      if (!page) return !existsSync(join(packageRoot, target));
      return anchor !== undefined && !anchorsOf(page.text).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('sections, wherever a page or a source names one', () => {
    const sources = ['src', 'contracts', 'projections', 'ops'].flatMap((folder) =>
      readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ts|yaml|json|css)$/.test(name))
        .map((name) => readPage(`${folder}/${name}`)),
    );
    const mentioned = named(/([\w/.-]+\.md#[\w-]+)/g, [everything, ...sources].join('\n'));
    expect(mentioned.length).toBeGreaterThan(20);
    const broken = mentioned.filter((mention) => {
      const [file = '', anchor = ''] = mention.split('#');
      const named = pages.filter(({ path }) => path.endsWith(file.replaceAll('../', '').replace(/^\.\//, '')));
      return !named.some(({ text }) => anchorsOf(text).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('each page of docs is linked from docs/index.md', () => {
    const index = readPage('docs/index.md');
    const missing = pagePaths
      .filter((path) => path.startsWith('docs/') && path !== 'docs/index.md')
      .filter((path) => !index.includes(`(${path.slice('docs/'.length)})`));
    expect(missing).toEqual([]);
  });
});
