/** The pages, as a browser takes them: each folder of src/web with its script made into one file. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'rolldown';
import { packageRoot } from '../../src/base/package-root.js';
import { addressOf } from '../../src/pages/frame/files.js';
import { publicHeader } from '../../src/pages/frame/header.js';
import { layout } from '../../src/pages/frame/layout.js';
import { Html } from '../../src/pages/html.js';
import { docPage } from './developers/doc-page.js';
import { apiDocument, openapiFile } from './developers/openapi-file.js';
import { apiPages } from './developers/page.js';
import { searchIndex } from './developers/search-index.js';
import { apiPath, docFiles, pathOf } from './developers/site.js';
import { clearWeb, compressFiles, writeAddresses, writeFile } from './files.js';

/** The schemas that are served beside the pages. */
const schemas = [
  'task-receipt.v1.schema.json',
  'task-receipt-market.v1.schema.json',
  'kafka/task-receipts-record.v1.schema.json',
  'kafka/dead-letter.v1.schema.json',
];

/** The common style, in the order in which its files change each other. */
const looks = ['tokens', 'base', 'frame', 'controls', 'content', 'tables', 'proofs', 'live', 'import', 'find', 'print'];

clearWeb();
buildStyles();
await buildScripts();
writeAddresses();
buildVerify();
buildDocumentation();
compressFiles();

/** The pages of docs, the reference of the API, and the index that the pages are searched with. */
function buildDocumentation(): void {
  const to = join(packageRoot, 'dist/web/developers');
  const api = apiDocument();
  const pages = docFiles
    .filter((file) => pathOf(file) !== apiPath)
    .map((file) => ({ name: `${pathOf(file) || 'index'}.html`, text: docPage(file) }));
  const reference = apiPages(api).map(({ path, text }) => ({ name: `${path}.html`, text }));
  for (const { name, text } of [...pages, ...reference]) {
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
    styles: [addressOf('verify.css'), addressOf('verify-result.css')],
    scripts: [addressOf('verify.js')],
  });
  mkdirSync(join(packageRoot, 'dist/web/verify'), { recursive: true });
  writeFileSync(join(packageRoot, 'dist/web/verify/page.html'), text);
}

/** The common style comes first, so that the style of a page can change it. */
function buildStyles(): void {
  const read = (file: string) => readFileSync(join(packageRoot, 'src/web', `${file}.css`), 'utf8');
  const look = looks.map((name) => read(`look/${name}`));
  for (const place of ['pages', 'verify', 'developers'] as const)
    writeFile(`${place}.css`, [...look, read(`${place}/page`)].join('\n'));
  writeFile('verify-result.css', read('verify/result'));
  writeFile('developers-text.css', read('developers/text'));
}

async function buildScripts(): Promise<void> {
  writeFile('live.js', await scriptOf('live/main'));
  writeFile('agent-key.js', await scriptOf('agents/main'));
  writeFile('ed25519.js', await scriptOf('agents/ed25519'));
  writeFile('check.js', await scriptOf('verify/check'));
  writeFile('import.js', await scriptOf('import/main'));
  writeFile('import-files.js', await scriptOf('import/queue'));
  writeFile('verify.js', await scriptOf('verify/main'));
  writeFile('developers.js', await scriptOf('developers/main'));
}

/** A script with everything that it imports, as one file. */
async function scriptOf(name: string): Promise<string> {
  const {
    output: [{ code }],
  } = await build({
    input: join(packageRoot, 'src/web', `${name}.ts`),
    platform: 'browser',
    // Imports name the file that the compiler would write.
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    output: { format: 'es', minify: true, comments: { legal: true } },
    logLevel: 'warn',
    write: false,
  });
  return code;
}
