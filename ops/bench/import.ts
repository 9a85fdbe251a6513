import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { load } from './load.js';
import { machineLine, table } from './machine.js';
import { startService, temporaryDirectory } from './service.js';
import { randomStream, sentence } from './words.js';

/**
 * `counterfoil import` of an export of `count` memories, first of new ones and then of the same ones again. The baseline is one client that
 * writes memories one after the other.
 */
export async function benchImport(count: number, env: Readonly<Record<string, string>>): Promise<void> {
  const store = temporaryDirectory();
  const files = temporaryDirectory();
  const service = await startService(store.path, 8194, env);
  try {
    const random = randomStream(5);
    const path = join(files.path, 'memories.jsonl');
    writeFileSync(path, exportOf(count, random));
    const alone = await load(service, 1, 500, (send, i) =>
      send('POST', '/v1/memories', { content: `alone ${i} ${sentence(random, 8, 24)}` }),
    );
    const seconds = [];
    for (const _ of ['new', 'again']) {
      const from = performance.now();
      const args = ['import', path, '--url', service.origin, '--key', service.key];
      const child = spawn(process.execPath, [join(packageRoot, 'dist/src/cli/main.js'), ...args], {
        stdio: ['ignore', 'inherit', 'ignore'],
      });
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`the import has ended with ${code}`);
      seconds.push((performance.now() - from) / 1000);
    }
    const [written = 0, again = 0] = seconds;
    console.log(
      table([
        [machineLine()],
        [],
        ['request', 'memories per second'],
        ['POST /v1/memories, one client (baseline)', alone.perSecond.toFixed(0)],
        [`counterfoil import of ${count} memories`, (count / written).toFixed(0)],
        ['the same again', (count / again).toFixed(0)],
      ]),
    );
  } finally {
    await service.stop();
    store.remove();
    files.remove();
  }
}

/** In pages of 100, as `counterfoil export` writes them. */
function exportOf(count: number, random: () => number): string {
  const memories = Array.from({ length: count }, (_, i) => ({
    id: String(i),
    content: `${i} ${sentence(random, 8, 24)}`,
    metadata: { n: i, topic: 'talk' },
    source: `talk ${i >> 5}`,
    playground: false,
    invalidated: null,
    namespace: { id: '0', name: 'default' },
  }));
  const pages = Array.from({ length: Math.ceil(count / 100) }, (_, page) => ({
    format: 'service-memories/1',
    data: memories.slice(100 * page, 100 * (page + 1)),
    next_cursor: 100 * (page + 1) < count ? 'next' : null,
  }));
  return pages.map((page) => JSON.stringify(page)).join('\n');
}
