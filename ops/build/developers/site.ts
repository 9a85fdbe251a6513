import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';

/** A page of the documentation, as the navigation names it. */
export interface Entry {
  readonly title: string;
  /** The file in docs. */
  readonly file: string;
  /** The address below /developers; empty for the first page. */
  readonly path: string;
}

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const docs = join(packageRoot, 'docs');

/** The reference of the API is a page of its own, made from the description of the API. */
export const apiPath = 'api';

/** docs/guides/webhooks.md is served at /developers/guides/webhooks. */
export function pathOf(file: string): string {
  if (file === 'index.md') return '';
  return file === 'reference/api.md' ? apiPath : file.replace(/\.md$/, '');
}

export function readDoc(file: string): string {
  return readFileSync(join(docs, file), 'utf8');
}

export const docFiles: readonly string[] = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .sort();

/** The navigation: the headings of docs/index.md and the links below each. */
export function groups(): Group[] {
  const [, ...sections] = readDoc('index.md').split('\n## ');
  return sections.map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    entries: [...section.matchAll(/\[([^\]]+)\]\(([\w/-]+\.md)\)/g)].map(([, title = '', file = '']) => ({
      title: title.charAt(0).toUpperCase() + title.slice(1),
      file,
      path: pathOf(file),
    })),
  }));
}

/** The address of a page relative to another one, so that pages work below any prefix of a proxy. */
export function linkTo(from: string, to: string): string {
  const own = from === '' ? '/' : posix.dirname(`/developers/${from}`);
  const target = to === '' ? '/developers' : `/developers/${to}`;
  const link = posix.relative(own, target);
  // A page has no slash at its end, so the link to the page of the own folder, or of one above, may not end with dots.
  return /^(\.\.)?(\/\.\.)*$/.test(link) ? posix.join(link, '..', posix.basename(target)) : link;
}
