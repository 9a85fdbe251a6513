/** The pages, as a browser takes them: each folder of src/web with its script made into one file. */
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { packageRoot } from '../../src/package-root.js';

await buildPage('verify');

async function buildPage(name: string): Promise<void> {
  const from = join(packageRoot, 'src/web', name);
  const to = join(packageRoot, 'dist/web', name);
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter((name) => /\.(html|css)$/.test(name)))
    copyFileSync(join(from, file), join(to, file));
  await build({
    input: join(from, 'main.ts'),
    platform: 'browser',
    // Imports name the file that the compiler would write.
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    output: { file: join(to, 'main.js'), format: 'es', minify: true, comments: { legal: true } },
    logLevel: 'warn',
  });
}
