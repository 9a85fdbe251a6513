/** The last step of the build: the service and what it needs of large packages in few files, which src/base/built-file.ts chooses. */
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build } from 'rolldown';
import { entries } from '../../src/base/built-file.js';
import { packageRoot } from '../../src/base/package-root.js';

/**
 * Packages of dozens of modules each, or with dependencies that have them. All other packages stay in node_modules: they are one file, are
 * loaded when they are needed, or have to know where they lie.
 */
const taken = [
  'zod',
  'libphonenumber-js',
  'jose',
  '@bufbuild/protobuf',
  '@noble/curves',
  '@noble/hashes',
  'fastify',
  'prom-client',
  'rate-limiter-flexible',
  'pg',
  'pgvector',
  'card-validator',
  'negotiator',
  'iconv-lite',
];

/**
 * What these packages need, and stays in node_modules all the same: fastify makes validators of JSON schemas only for routes that have
 * some, pino must know where its files lie, and pg loads pg-native and pg-cloudflare only where they are installed.
 */
const left =
  /^(@fastify\/(ajv|fast-json-stringify)-compiler|ajv|fast-json-stringify|light-my-request|pino|pg-native|pg-cloudflare)(\/|$)/;

/** Of this project, or of the bundler's own helpers. */
const isOurs = (id: string): boolean => /^[./\0]|^@oxc-project\/runtime/.test(id);
const isTaken = (id: string): boolean => taken.some((name) => id === name || id.startsWith(`${name}/`));
const isNeededByTaken = (id: string, importer = ''): boolean =>
  importer.includes('/node_modules/') && !isBuiltin(id) && !left.test(id);

await build({
  input: Object.fromEntries(entries.map((file) => [file.replace(/\.js$/, ''), join(packageRoot, 'dist/src', file)])),
  platform: 'node',
  external: (id, importer) => !isOurs(id) && !isTaken(id) && !isNeededByTaken(id, importer),
  transform: { target: 'es2023' },
  logLevel: 'warn',
  output: {
    dir: join(packageRoot, 'dist/bundle'),
    cleanDir: true,
    format: 'es',
    sourcemap: true,
    comments: { legal: true },
    chunkFileNames: 'parts/[name]-[hash].js',
  },
});
