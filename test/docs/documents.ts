import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  /** The text behind the language, such as `file=receiver.mjs`. */
  readonly info: string;
  readonly body: string;
}

/** A block of commands that a reader pastes, and the answer that the page shows; null where it shows none. */
export interface Step {
  readonly commands: string;
  readonly answer: string | null;
}

/** The README and every page of docs, by their paths from the root. */
export const pagePaths: readonly string[] = [
  'README.md',
  ...readdirSync(join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

export function readPage(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}

export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w*)([^\n]*)\n(.*?)^```$/gms)].map(([, language = '', info = '', body = '']) => ({
    language,
    info: info.trim(),
    body,
  }));
}

/** The `bash` blocks, each with the `json` or `text` block that follows it directly. */
export function stepsOf(text: string): Step[] {
  const blocks = blocksOf(text);
  return blocks.flatMap(({ language, body }, at) => {
    const next = blocks[at + 1];
    const answer = next && ['json', 'text'].includes(next.language) ? next.body : null;
    return language === 'bash' ? [{ commands: body, answer }] : [];
  });
}

/** The part of a page below a heading of the second level. */
export function sectionOf(text: string, heading: string): string {
  const [, after = ''] = text.split(`\n## ${heading}\n`);
  return after.split('\n## ')[0] ?? '';
}

/** The shown answer as a pattern: `…` is everything that differs, and line breaks are not compared. */
export function patternOf(answer: string): RegExp {
  const text = withoutSpace(answer).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${text.replaceAll('…', '.*?')}$`, 's');
}

export const withoutSpace = (text: string) => text.replace(/\s+/g, '');

/** Pages whose commands need more than one running service, and the test that runs them. */
export const runElsewhere: Readonly<Record<string, string>> = {
  'docs/operating/backup.md': 'test/slow/faults/backup.test.ts',
  'docs/guides/kafka-receipts.md': 'test/engines/kafka/receipts.test.ts',
};

/** The files that a page asks its reader to save: blocks with `file=NAME` behind their language. */
export function filesOf(text: string): { name: string; body: string }[] {
  return blocksOf(text).flatMap(({ info, body }) => {
    const [, name] = /^file=(\S+)$/.exec(info) ?? [];
    return name ? [{ name, body }] : [];
  });
}
