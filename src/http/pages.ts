import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { defaultVendorPlatforms } from '../../contracts/task-receipt.js';
import { packageRoot } from '../base/package-root.js';

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

/**
 * The files that the build has made, read once. A page is served without its ending.
 * @param vendorPlatforms the platforms that the schema of task receipts names for this installation
 */
export function readPages(vendorPlatforms: readonly string[]): readonly PageFile[] {
  if (!existsSync(join(built, 'developers/index.html')))
    throw new Error('the build is not complete: run npm run build');
  return readdirSync(built).flatMap((page) =>
    readdirSync(join(built, page), { recursive: true, encoding: 'utf8' })
      .filter((name) => types[extname(name)] !== undefined)
      .map((name) => {
        const path = name.replace(/(^|\/)(index|page)\.html$/, '').replace(/\.html$/, '');
        const body = readFileSync(join(built, page, name));
        const served = name === taskReceiptSchema ? withPlatforms(body, vendorPlatforms) : body;
        return pageFile(path === '' ? `/${page}` : `/${page}/${path}`, served, types[extname(name)] ?? '');
      }),
  );
}

const taskReceiptSchema = 'task-receipt.v1.schema.json';

/** The names of platforms need no escapes in JSON (src/settings/config.ts). */
function withPlatforms(schema: Buffer, vendorPlatforms: readonly string[]): Buffer {
  const names = new Map(defaultVendorPlatforms.map((name, at) => [`"${name}"`, `"${vendorPlatforms[at] ?? name}"`]));
  const text = schema.toString('utf8').replace(/"[^"]*"/g, (string) => names.get(string) ?? string);
  return Buffer.from(text, 'utf8');
}

function pageFile(path: string, body: Buffer, type: string): PageFile {
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
