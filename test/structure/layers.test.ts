import { describe, expect, it } from 'vitest';
import { errors } from '../../contracts/errors.js';
import { operations } from '../../src/api/operations.js';
import { sources } from './sources.js';

/** The floors of the house from the ground up: a folder imports only what stands on the floors below its own. */
const floors = [
  ['contracts', 'src/base', 'src/verifier'],
  ['src/database', 'src/domain', 'src/web'],
  ['src/ledger', 'src/settings'],
  ['projections'],
  ['src/tlog'],
  ['src/adapters'],
  ['src/commands'],
  ['src/api', 'src/workers'],
  ['src/kafka', 'src/maintenance', 'src/mcp', 'src/pages'],
  ['src/http'],
  ['src/wiring'],
  ['src/cli'],
] as const;

const floorOf = new Map<string, number>(floors.flatMap((folders, n) => folders.map((folder) => [folder, n] as const)));

/** The folder that stands on a floor, of the path of a file. */
function folderOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'src' ? `${top}/${second}` : top;
}

/** Folder → what it may not import although it stands below. */
const forbidden: readonly [string, RegExp][] = [
  ['src/domain/', /^src\/database\//],
  ['src/ledger/', /^src\/(domain|database\/(?!(database|columns)\.ts))/],
  ['src/commands/', /^src\/settings\//],
  ['src/api/', /^src\/(web|ledger|tlog\/(?!files\.ts)|settings|adapters|database\/(?!database\.ts))|^fastify/],
  // Transports call the API, and know nothing of how it decides or what it reads.
  ['src/kafka/', /^(?!src\/(kafka|api|base)\/|contracts\/|node:)/],
  ['src/mcp/', /^(?!src\/(mcp|api|base)\/|contracts\/|node:|zod$)/],
  ['src/pages/', /^(?!src\/(pages|api|base)\/|contracts\/|node:|zod$)/],
  ['src/http/', /^src\/(kafka|ledger|tlog|workers|maintenance|adapters|database|web)\//],
  // The way into the ledger is given to it as a function, and so is everyone it asks.
  [
    'src/tlog/',
    /^(?!src\/(tlog|domain|verifier)\/|contracts\/|projections\/log\/|src\/ledger\/(chain|entry-hashes|rows)\.ts|src\/database\/database\.ts|src\/base\/(faults|world)\.ts|node:)/,
  ],
  ['projections/', /^src\/(ledger\/(?!rows\.ts)|settings|database\/(?!(database|columns)\.ts))/],
  ['src/verifier/', /^(?!src\/verifier\/|@noble\/)/],
  [
    'src/web/',
    /^(?!src\/(web|verifier)\/|src\/base\/relative-time\.ts$|minisearch$|idiomorph$|@noble\/(hashes\/sha2|curves\/ed25519)\.js$)/,
  ],
];

const homes: Readonly<Record<string, RegExp>> = {
  pg: /^src\/database\//,
  '@electric-sql/pglite': /^src\/database\//,
  'gpt-tokenizer/encoding/o200k_base': /^src\/adapters\/tokens\.ts$/,
  '@bufbuild/protobuf/wire': /^src\/adapters\/otlp\//,
  tinypool: /^src\/adapters\/threads\/threads\.ts$/,
  '@embedpdf/pdfium': /^src\/adapters\/extract\/pdf\//,
  htmlparser2: /^src\/adapters\/extract\//,
  fastify: /^src\/(http\/[a-z-]+|wiring\/app)\.ts$/,
  'prom-client': /^src\/adapters\/(metrics|gauges\/[a-z-]+)\.ts$/,
  yaml: /^src\/domain\/imports\//,
  yauzl: /^src\/adapters\/zip\.ts$/,
  negotiator: /^src\/http\/reply\.ts$/,
  '@node-rs/argon2': /^src\/adapters\/passwords\//,
  jose: /^src\/(http\/session-cookie\.ts$|adapters\/oauth\/)/,
  'oidc-provider': /^src\/adapters\/oauth\//,
  cookie: /^src\/http\/session-cookie\.ts$/,
  'openid-client': /^src\/adapters\/oidc\.ts$/,
  'card-validator': /^src\/domain\/redaction\//,
  ibantools: /^src\/domain\/redaction\//,
  'libphonenumber-js/max': /^src\/domain\/redaction\//,
  'libphonenumber-js/max/metadata': /^src\/domain\/redaction\//,
  tldts: /^src\/domain\/redaction\//,
  'fraction.js': /^src\/domain\/market\//,
  'decimal.js': /^src\/domain\/market\//,
  nodemailer: /^src\/adapters\/mail\//,
  '@eventstore/db-client': /^src\/adapters\/eventstore\//,
  '@elastic/elasticsearch': /^src\/adapters\/elasticsearch\//,
  kafkajs: /^src\/adapters\/kafka\//,
  ethers: /^src\/adapters\/ethereum\//,
  minisearch: /^src\/web\/developers\//,
  idiomorph: /^src\/web\/live\/morph\.ts$/,
  '@noble/hashes/sha2.js': /^src\/(verifier|web\/import)\//,
  '@noble/hashes/sha3.js': /^src\/(verifier|domain\/(ethereum|identity))\//,
  '@noble/curves/ed25519.js': /^src\/(verifier|domain\/identity|web\/agents)\//,
  '@noble/curves/nist.js': /^src\/domain\/identity\//,
  '@noble/curves/secp256k1.js': /^src\/domain\/identity\//,
};

describe('structure', () => {
  const all = sources(['contracts', 'src', 'projections']);

  it('every folder imports only what stands below it', () => {
    const isAbove = (from: string, to: string) =>
      folderOf(from) !== folderOf(to) && (floorOf.get(folderOf(to)) ?? 0) >= (floorOf.get(folderOf(from)) ?? 0);
    const wrong = all.flatMap(({ path, imports }) =>
      imports.filter((one) => floorOf.has(folderOf(one)) && isAbove(path, one)).map((one) => `${path} imports ${one}`),
    );
    expect(wrong).toEqual([]);
    expect([...new Set(all.map(({ path }) => folderOf(path)))].filter((folder) => !floorOf.has(folder))).toEqual([]);
  });

  it.each(forbidden)('%s imports nothing that is not for it', (folder, banned) => {
    const wrong = all
      .filter(({ path }) => path.startsWith(folder))
      .flatMap(({ path, imports }) => imports.filter((one) => banned.test(one)).map((one) => `${path} imports ${one}`));
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(homes))('%s is imported where it is at home', (name, home) => {
    const wrong = all.filter(({ path, imports }) => imports.includes(name) && !home.test(path)).map(({ path }) => path);
    expect(wrong).toEqual([]);
  });

  it('the verifier names nothing that a browser lacks', () => {
    const onlyInNode = /\b(Buffer|process|require|__dirname|setImmediate)\b|import\(/;
    const wrong = all.filter(({ path, text }) => path.startsWith('src/verifier/') && onlyInNode.test(text));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('only run.ts appends to the ledger', () => {
    const callers = all.filter(({ text }) => /ledger\.append\(/.test(text)).map(({ path }) => path);
    expect(callers).toEqual(['src/commands/run.ts']);
  });

  it('every operation is in the list of its folder', () => {
    const texts = all.filter(({ path }) => path.startsWith('src/api/')).map(({ text }) => text);
    const namesIn = (pattern: RegExp) =>
      texts.flatMap((text) => [...text.matchAll(pattern)].map(([, names = '']) => names));
    const defined = namesIn(/^export const (\w+Operation) =/gm);
    const listed = namesIn(/^export const \w+Operations: readonly Operation\[\] = \[([^\]]*)\];/gm)
      .flatMap((names) => names.split(','))
      .map((name) => name.trim());
    expect(defined.filter((name) => !listed.includes(name))).toEqual([]);
    expect(new Set(operations).size).toBe(defined.length);
    expect(operations.length).toBe(defined.length);
  });

  it('no route is added beside the operations', () => {
    const routes = /\bserver\.(?:route|get|head|post|put|patch|delete|options|all)\b/;
    const adding = all.filter(({ path, text }) => path.startsWith('src/') && routes.test(text)).map(({ path }) => path);
    expect(adding.sort()).toEqual([
      'src/http/cross-origin.ts',
      // One address for all messages of MCP, which is no operation: its tools call the operations.
      'src/http/mcp.ts',
      'src/http/methods.ts',
      // The authorization server answers in the forms of OAuth, whose paths are no operations.
      'src/http/oauth.ts',
      // Pages for people answer forms with HTML; what they do, they do through operations.
      'src/http/page-routes.ts',
      'src/http/route.ts',
      // The pages are files, and no operations.
      'src/http/server.ts',
    ]);
  });

  it('only the app and the command line wire parts together', () => {
    const isPart = (path: string) => /^src\/(wiring\/|cli\/|app\.ts)/.test(path);
    const wrong = all.filter(({ path, imports }) => !isPart(path) && imports.some((one) => isPart(one)));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('workers run by one loop', () => {
    const loops = all.filter(({ path, text }) => path.startsWith('src/workers/') && /while \(.*aborted/.test(text));
    expect(loops.map(({ path }) => path)).toEqual(['src/workers/loop.ts']);
  });

  it('only the adapters with a deadline and a size make requests', () => {
    const makers = all.filter(
      ({ path, text, imports }) =>
        !path.startsWith('src/web/') &&
        (/[^\w.]fetch\(\s*(url|new URL)/.test(text) ||
          /import \{[^}]*\brequest\b[^}]*\} from 'node:https?'/.test(text)) &&
        // What they are given is one of these adapters.
        !imports.includes('src/adapters/public-fetch.ts'),
    );
    expect(makers.map(({ path }) => path).sort()).toEqual([
      'src/adapters/bounded-fetch.ts',
      'src/adapters/exchange.ts',
    ]);
  });

  it('no lease is compared with the clock of a process', () => {
    const comparison = /\b(?:lease_)?until\s*(?:<=?|>=?)(?!=?\s*now\(\))/;
    const wrong = all.filter(
      ({ path, text }) => /lease/.test(text) && comparison.test(text) && path !== 'src/base/world.ts',
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('has no file over 300 lines', () => {
    const everything = [...all, ...sources(['ops', 'test'])];
    expect(everything.filter(({ text }) => text.split('\n').length > 300).map(({ path }) => path)).toEqual([]);
  });

  it('every code that an endpoint may refuse with is in the error table, with a client or server status', () => {
    for (const { refusals } of operations)
      for (const code of refusals) expect(errors[code][0]).toBeGreaterThanOrEqual(400);
  });

  it('every code of the table is thrown, mapped or named somewhere', () => {
    const text = all
      .filter(({ path }) => path !== 'contracts/errors.ts')
      .map((source) => source.text)
      .join('\n');
    expect(Object.keys(errors).filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  });
});
