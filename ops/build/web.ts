/** The pages, as a browser takes them: each folder of src/web with its script made into one file. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { packageRoot } from '../../src/package-root.js';
import { apiDocument, openapiFile } from './developers/openapi-file.js';
import { developerPage } from './developers/page.js';

await buildPage('verify');
await buildPage('developers');
const developers = join(packageRoot, 'dist/web/developers');
writeFileSync(join(developers, 'page.html'), developerPage(apiDocument()));
copyFileSync(openapiFile, join(developers, 'openapi.yaml'));

async function buildPage(name: string): Promise<void> {
  const from = join(packageRoot, 'src/web', name);
  const to = join(packageRoot, 'dist/web', name);
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter((name) => /\.(html|css)$/.test(name)))
    copyFileSync(join(from, file), join(to, file));
  // What all pages look like comes before what one of them changes.
  const look = readFileSync(join(packageRoot, 'src/web/look.css'), 'utf8');
  writeFileSync(join(to, 'page.css'), `${look}\n${readFileSync(join(from, 'page.css'), 'utf8')}`);
  await build({
    input: join(from, 'main.ts'),
    platform: 'browser',
    // Imports name the file that the compiler would write.
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    output: { file: join(to, 'main.js'), format: 'es', minify: true, comments: { legal: true } },
    logLevel: 'warn',
  });
}
