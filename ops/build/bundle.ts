/** The last step of the build: the service and what it needs of large packages in few files, which src/base/built-file.ts chooses. */
import { join } from 'node:path';
import { build } from 'rolldown';
import { entries } from '../../src/base/built-file.js';
import { packageRoot } from '../../src/base/package-root.js';

/**
 * Packages of dozens of modules each. All other packages stay in node_modules: they are one file, are loaded when they are needed, or have to
 * know where they lie.
 */
const taken = ['zod', 'libphonenumber-js', 'jose', '@bufbuild/protobuf', '@noble/curves', '@noble/hashes'];

/** Of this project, or of the bundler's own helpers. */
const isOurs = (id: string): boolean => /^[./\0]|^@oxc-project\/runtime/.test(id);
const isTaken = (id: string): boolean => taken.some((name) => id === name || id.startsWith(`${name}/`));

await build({
  input: Object.fromEntries(entries.map((file) => [file.replace(/\.js$/, ''), join(packageRoot, 'dist/src', file)])),
  platform: 'node',
  external: (id) => !isOurs(id) && !isTaken(id),
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
