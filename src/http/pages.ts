import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { defaultVendorPlatforms } from '../../contracts/task-receipt.js';
import { packageRoot } from '../base/package-root.js';
import type { ContentCoding } from '../domain/market/feeds/served.js';
import { picture } from '../pages/frame/picture.js';
import { policies } from './page-headers.js';

/** A file of a page as it is served: its bytes in each encoding that the build has made. */
export interface PageFile {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly encodings: ReadonlyMap<ContentCoding, Encoding>;
}

interface Encoding {
  readonly body: Buffer;
  readonly etag: string;
}

const built = join(packageRoot, 'dist/web');

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
  return [...readBuilt(vendorPlatforms), ...askedByPrograms];
}

function readBuilt(vendorPlatforms: readonly string[]): readonly PageFile[] {
  if (!existsSync(join(built, 'developers/index.html')))
    throw new Error('the build is not complete: run npm run build');
  return readdirSync(built, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: page }) =>
      readdirSync(join(built, page), { recursive: true, encoding: 'utf8' })
        .filter((name) => types[extname(name)] !== undefined)
        .map((name) => readFile(page, name, vendorPlatforms)),
    );
}

function readFile(page: string, name: string, vendorPlatforms: readonly string[]): PageFile {
  const type = types[extname(name)] ?? '';
  const file = join(built, page, name);
  const body = readFileSync(file);
  if (name === taskReceiptSchema) {
    const served = withPlatforms(body, vendorPlatforms);
    return pageFile(`/${page}/${name}`, new Map([['identity', served]]), { type, cacheControl: validated });
  }
  // In the order in which they are preferred.
  const all = [...compressions.flatMap((one) => compressed(file, one)), ['identity', body] as const];
  const path = name.replace(/(^|\/)(index|page)\.html$/, '').replace(/\.html$/, '');
  const cacheControl = page === 'files' ? 'public, max-age=31536000, immutable' : validated;
  return pageFile(path === '' ? `/${page}` : `/${page}/${path}`, new Map(all), { type, cacheControl });
}

/** Stored and checked each time, because the address stays when the content changes. */
const validated = 'no-cache';

const compressions = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** A compressed file that the build has made; short files have none. */
function compressed(
  file: string,
  [coding, ending]: (typeof compressions)[number],
): readonly (readonly [ContentCoding, Buffer])[] {
  return existsSync(`${file}${ending}`) ? [[coding, readFileSync(`${file}${ending}`)]] : [];
}

const taskReceiptSchema = 'task-receipt.v1.schema.json';

/** The names of platforms need no escapes in JSON (src/settings/config.ts). */
function withPlatforms(schema: Buffer, vendorPlatforms: readonly string[]): Buffer {
  const names = new Map(defaultVendorPlatforms.map((name, at) => [`"${name}"`, `"${vendorPlatforms[at] ?? name}"`]));
  const text = schema.toString('utf8').replace(/"[^"]*"/g, (string) => names.get(string) ?? string);
  return Buffer.from(text, 'utf8');
}

function pageFile(
  path: string,
  bodies: ReadonlyMap<ContentCoding, Buffer>,
  { type, cacheControl }: { readonly type: string; readonly cacheControl: string },
): PageFile {
  const encodings = [...bodies].map(([coding, body]) => [coding, { body, etag: etagOf(body) }] as const);
  return {
    path,
    encodings: new Map(encodings),
    headers: {
      'content-type': type,
      'content-security-policy': policies.withScript,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': cacheControl,
      vary: 'accept-encoding',
    },
  };
}

/** The API and the ways to sign in are nothing for search engines. */
const robots = `User-agent: *
Disallow: /v1/
Disallow: /mcp
Disallow: /oauth/
Disallow: /sign-in
`;

/** Files that browsers and search engines ask for at addresses of their own choice. */
const askedByPrograms: readonly PageFile[] = [
  pageFile('/robots.txt', new Map([['identity', Buffer.from(robots)]]), {
    type: 'text/plain; charset=utf-8',
    cacheControl: validated,
  }),
  pageFile('/favicon.ico', new Map([['identity', Buffer.from(picture)]]), {
    type: 'image/svg+xml',
    cacheControl: validated,
  }),
];

function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}
