import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { packageRoot } from '../package-root.js';

/** A file of a page as it is served. */
export interface PageFile {
  readonly path: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

const built = join(packageRoot, 'dist/web');

/** A page runs its own script and nothing else, and cannot be framed by other pages. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.yaml': 'application/yaml',
};

/** The files that the build has made, read once. A page is served without its ending. */
export function readPages(): readonly PageFile[] {
  if (!existsSync(join(built, 'developers/index.html')))
    throw new Error('the build is not complete: run npm run build');
  return ['verify', 'developers'].flatMap((page) =>
    readdirSync(join(built, page), { recursive: true, encoding: 'utf8' })
      .filter((name) => types[extname(name)] !== undefined)
      .map((name) => {
        const path = name.replace(/(^|\/)(index|page)\.html$/, '').replace(/\.html$/, '');
        return readFile(path === '' ? `/${page}` : `/${page}/${path}`, `${page}/${name}`, types[extname(name)] ?? '');
      }),
  );
}

function readFile(path: string, file: string, type: string): PageFile {
  const body = readFileSync(join(built, file));
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return {
    path,
    body,
    etag,
    headers: {
      'content-type': type,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      // Stored and validated each time: a script of another version than its page would find other elements.
      'cache-control': 'no-cache',
      etag,
    },
  };
}
