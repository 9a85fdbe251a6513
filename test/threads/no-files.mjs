import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openThreads } from '../../dist/src/adapters/threads/threads.js';

/**
 * Run with few files allowed: takes all of them, asks a thread for work, gives them back and asks until it is answered.
 * The error of the second thread can come after the files were given back, and then it refuses what waits at that time,
 * as a caller is told: retry.
 */
const threads = openThreads({
  file: fileURLToPath(new URL('./work.mjs', import.meta.url)),
  ...{ threads: 2, heldBytes: 1000, idleMs: 10, deadlineMs: 20_000 },
});
const ask = () => Promise.all([1, 2, 3].map((value) => threads.run(1, 'say', value).catch((error) => error.code)));

const files = [];
try {
  for (;;) files.push(openSync('/dev/null'));
} catch (error) {
  if (error.code !== 'EMFILE') throw error;
}
const refused = await ask();
for (const file of files) closeSync(file);
let answered = await ask();
for (let attempt = 1; answered.includes('not_ready') && attempt < 20; attempt += 1) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  answered = await ask();
}
console.log(JSON.stringify({ refused, answered }));
await threads.close();
