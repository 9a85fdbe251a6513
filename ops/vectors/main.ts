import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jcs } from './jcs.js';
import { consistency, inclusion } from './merkle.js';
import { ots } from './ots.js';
import type { Suite } from './vector.js';

const suites: Readonly<Record<string, Suite>> = {
  jcs,
  'merkle/inclusion': inclusion,
  'merkle/consistency': consistency,
  ots,
};

/** Runs public test vectors against the code that verification depends on. Exits 1 when one of them does not come out, or none was run. */
const [directory] = process.argv.slice(2);
if (directory === undefined || !existsSync(directory)) {
  console.error(`Usage: npm run vectors -- DIRECTORY   (with these folders in it: ${Object.keys(suites).join(', ')})`);
  process.exit(2);
}

let [passed, failed] = [0, 0];
for (const [folder, suite] of Object.entries(suites)) {
  if (!existsSync(join(directory, folder))) {
    console.log(`skipped ${folder}: there is no such folder in ${directory}`);
    continue;
  }
  for (const { name, right } of suite(join(directory, folder))) {
    if (right) passed += 1;
    else failed += 1;
    console.log(`${right ? 'ok    ' : 'FAILED'}  ${folder} ${name}`);
  }
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
