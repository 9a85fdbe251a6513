import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.js';

/** A file of a page as it is served. */
export interface PageFile {
  readonly path: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

const built = join(packageRoot, 'dist/web');

/** A page runs its own script and nothing else, and shows itself in nobody's frame. */
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

/** What the build has made of src/web, read once. */
export function readPages(): readonly PageFile[] {
  return [
    readFile('/verify', 'verify/page.html', 'text/html; charset=utf-8'),
    readFile('/verify/page.css', 'verify/page.css', 'text/css; charset=utf-8'),
    readFile('/verify/result.css', 'verify/result.css', 'text/css; charset=utf-8'),
    readFile('/verify/main.js', 'verify/main.js', 'text/javascript; charset=utf-8'),
    readFile('/developers', 'developers/page.html', 'text/html; charset=utf-8'),
    readFile('/developers/page.css', 'developers/page.css', 'text/css; charset=utf-8'),
    readFile('/developers/main.js', 'developers/main.js', 'text/javascript; charset=utf-8'),
    readFile('/developers/openapi.yaml', 'developers/openapi.yaml', 'application/yaml'),
  ];
}

function readFile(path: string, file: string, type: string): PageFile {
  const source = join(built, file);
  if (!existsSync(source)) throw new Error('the build is not complete: run npm run build');
  const body = readFileSync(source);
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return {
    ...{ path, body, etag },
    headers: {
      'content-type': type,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      // Kept, and asked for again each time: a script of another version than its page would find other elements.
      'cache-control': 'no-cache',
      etag,
    },
  };
}
