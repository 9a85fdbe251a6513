import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { indexedParts } from '../../src/domain/tokens/indexed.js';

const bytes = 2 ** 20;
const runs = 3;

/**
 * Measures how long the cutter needs for a MiB of each kind of text: the least processor time of three runs, with the tokens of all
 * parts. Prose and code are the documentation and the sources of this project.
 */
export function benchWords(): Promise<void> {
  const texts: Readonly<Record<string, string>> = {
    prose: filesIn('docs', '.md'),
    code: filesIn('src', '.ts'),
    dotted: 'a.b.c.d.',
    'one run': 'abcdefghij',
    slashes: '/',
    'øå-': 'øå-',
    emoji: '😀👍🏽',
    Chinese: '北京市的天气很好我们去公园散步吧今天',
    Arabic: 'والكتاب في المكتبة الكبيرة ',
    Czech: 'příliš žluťoučký kůň úpěl ďábelské ódy ',
    numbers: '12.5kN 3.2.1 1,234,567 40GB/s -12 ',
  };
  for (const [kind, text] of Object.entries(texts)) {
    const mebibyte = text.repeat(Math.ceil(bytes / Buffer.byteLength(text)));
    const seconds =
      Math.min(...Array.from({ length: runs }, () => secondsOf(mebibyte))) * (bytes / Buffer.byteLength(mebibyte));
    console.log(`${kind.padEnd(8)} ${seconds.toFixed(3)} s/MiB`);
  }
  return Promise.resolve();
}

function secondsOf(text: string): number {
  const before = process.cpuUsage();
  indexedParts(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function filesIn(folder: string, ending: string): string {
  const files = readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith(ending))
    .toSorted()
    .map((file) => readFileSync(join(packageRoot, folder, file), 'utf8'))
    .join('\n');
}
