import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalBytes } from '../../src/ledger/canonical.js';

/** Runs public test vectors against the code that verification depends on. Exits 1 when one of them does not come out. */
const [directory] = process.argv.slice(2);
if (directory === undefined || !existsSync(directory)) {
  console.error('Usage: npm run vectors -- DIRECTORY   (with the folder jcs in it)');
  process.exit(2);
}

let passed = 0;
const failed: string[] = [];
function check(name: string, right: boolean): void {
  if (right) passed += 1;
  else failed.push(name);
  console.log(`${right ? 'ok    ' : 'FAILED'}  ${name}`);
}

/** RFC 8785: the canonical bytes of each input, given in hex and as they are. */
const jcs = join(directory, 'jcs');
for (const name of readdirSync(join(jcs, 'input')).sort()) {
  const bytes = canonicalBytes(JSON.parse(readFileSync(join(jcs, 'input', name), 'utf8')));
  const hex = readFileSync(join(jcs, 'outhex', name.replace(/\.json$/, '.txt')), 'utf8').replace(/\s+/g, '');
  check(`jcs ${name} as hex`, Buffer.from(bytes).toString('hex') === hex);
  check(`jcs ${name}`, Buffer.compare(bytes, readFileSync(join(jcs, 'output', name))) === 0);
}

console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
