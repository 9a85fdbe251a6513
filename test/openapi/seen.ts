import { appendFileSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { type Seen, seenDirectory } from '../../ops/coverage/seen.js';
import { packageRoot } from '../../src/base/package-root.js';

const written = new Set<string>();
let file: string | undefined;

/** Writes down what was provoked, once for each test. */
export function remember(reply: Omit<Seen, 'file' | 'test'>): void {
  const { currentTestName = 'before the tests', testPath = '' } = expect.getState();
  const seen: Seen = { ...reply, file: relative(packageRoot, testPath), test: currentTestName };
  const line = JSON.stringify(seen);
  if (written.has(line)) return;
  written.add(line);
  if (file === undefined) {
    mkdirSync(seenDirectory, { recursive: true });
    // A process for each file of tests: two of them never write into one.
    file = join(seenDirectory, `${process.pid}-${Date.now()}.jsonl`);
  }
  appendFileSync(file, `${line}\n`);
}
