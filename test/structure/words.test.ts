import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { bannedWords } from './plain-words.js';

interface Finding {
  readonly path: string;
  readonly sentence: string;
}

const folders = ['src', 'contracts', 'projections', 'docs', 'ops', 'test'];

/** Texts that readers of files are tested with, which are anything, and the lists of the words themselves. */
const excepted = [
  'test/corpus/',
  'test/structure/plain-words.ts',
  'test/structure/words.test.ts',
  // A list of words that queries have, and no sentences.
  'src/domain/rank/frame-words.ts',
];

function textFiles(): string[] {
  const inside = folders
    .filter((folder) => existsSync(join(packageRoot, folder)))
    .flatMap((folder) =>
      readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    );
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...inside].filter(
    (path) => /\.(ts|md|css|html|yaml|json|svg|sol)$/.test(path) && !excepted.some((one) => path.startsWith(one)),
  );
}

const requirementId = /\b[A-Z0-9]+(-[A-Z0-9]+)+\b/g;

/** Identifiers as the words that they are made of, and no base64, hex or ids of requirements. */
const separated = (line: string) =>
  line
    .replaceAll(/[A-Za-z0-9+/=]{60,}/g, '')
    .replaceAll(requirementId, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ');

/** Any of them. Nearly every line has none, and one look is enough for it. */
const anyBanned = new RegExp(bannedWords.map(({ pattern }) => `(?:${pattern.source})`).join('|'), 'i');

function findingsIn(path: string, text: string): Finding[] {
  return text.split('\n').flatMap((line, at) => {
    const words = separated(line);
    if (!anyBanned.test(words) && !anyBanned.test(line.replaceAll(requirementId, ''))) return [];
    return bannedWords.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(words)?.[0] ?? pattern.exec(line.replaceAll(requirementId, ''))?.[0];
      return found === undefined ? [] : [{ path, sentence: `${path}:${at + 1} "${found}" → ${instead}` }];
    });
  });
}

describe('plain words', () => {
  const files = textFiles();
  const findings = files.flatMap((path) => findingsIn(path, readFileSync(join(packageRoot, path), 'utf8')));

  it('are written everywhere', () => {
    expect(findings.map(({ sentence }) => sentence)).toEqual([]);
  });

  it('are looked for in identifiers, comments and texts, and nowhere else', () => {
    const found = (text: string) => findingsIn('a.ts', text).length;
    expect(found('const waitsAside = 1;')).toBe(1);
    expect(found('// It is told so.')).toBe(1);
    expect(found("throw new Error('begin anew');")).toBe(1);
    expect(found('const consider = tellers;')).toBe(0);
  });
});
