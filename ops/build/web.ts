/** The pages, as a browser takes them: each folder of src/web with its script made into one file. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'rolldown';
import { packageRoot } from '../../src/base/package-root.js';
import { publicHeader } from '../../src/pages/frame/header.js';
import { layout } from '../../src/pages/frame/layout.js';
import { Html } from '../../src/pages/html.js';
import { docPage } from './developers/doc-page.js';
import { apiDocument, openapiFile } from './developers/openapi-file.js';
import { apiPage } from './developers/page.js';
import { searchIndex } from './developers/search-index.js';
import { apiPath, docFiles, pathOf } from './developers/site.js';

/** The schemas that are served beside the pages. */
const schemas = [
  'task-receipt.v1.schema.json',
  'task-receipt-market.v1.schema.json',
  'kafka/task-receipts-record.v1.schema.json',
  'kafka/dead-letter.v1.schema.json',
];

/** The common style, in the order in which its files change each other. */
const looks = ['tokens', 'base', 'frame', 'controls', 'content', 'tables', 'proofs'];

buildStyle('pages');
await buildPage('verify');
buildVerify();
await buildPage('developers');
buildDocumentation();

/** The pages of docs, the reference of the API, and the index that the pages are searched with. */
function buildDocumentation(): void {
  const to = join(packageRoot, 'dist/web/developers');
  const api = apiDocument();
  const pages = docFiles
    .filter((file) => pathOf(file) !== apiPath)
    .map((file) => ({ name: `${pathOf(file) || 'index'}.html`, text: docPage(file) }));
  for (const { name, text } of [...pages, { name: `${apiPath}.html`, text: apiPage(api) }]) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), text);
  }
  writeFileSync(join(to, 'search.json'), searchIndex(api));
  copyFileSync(openapiFile, join(to, 'openapi.yaml'));
  for (const file of schemas) copyFileSync(join(packageRoot, 'contracts', file), join(to, basename(file)));
}

/** The page that checks proofs: its text in the frame of all pages. */
function buildVerify(): void {
  const main = new Html(readFileSync(join(packageRoot, 'src/web/verify/page.html'), 'utf8'));
  const text = layout({
    title: 'Check a proof',
    header: publicHeader('/verify', { to: '/', name: 'Console' }),
    main,
    styles: ['/verify/page.css', '/verify/result.css'],
    script: '/verify/main.js',
  });
  writeFileSync(join(packageRoot, 'dist/web/verify/page.html'), text);
}

async function buildPage(name: string): Promise<void> {
  const { from, to } = buildStyle(name);
  await build({
    input: join(from, 'main.ts'),
    platform: 'browser',
    // Imports name the file that the compiler would write.
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    output: { file: join(to, 'main.js'), format: 'es', minify: true, comments: { legal: true } },
    logLevel: 'warn',
  });
}

/** The files of a folder besides its script. */
function buildStyle(name: string): { readonly from: string; readonly to: string } {
  const from = join(packageRoot, 'src/web', name);
  const to = join(packageRoot, 'dist/web', name);
  // A page that was removed must not stay from an earlier build.
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter((name) => name.endsWith('.css')))
    copyFileSync(join(from, file), join(to, file));
  // The common style comes first, so that the style of a page can change it.
  const look = looks.map((name) => readFileSync(join(packageRoot, `src/web/look/${name}.css`), 'utf8'));
  writeFileSync(join(to, 'page.css'), [...look, readFileSync(join(from, 'page.css'), 'utf8')].join('\n'));
  return { from, to };
}
