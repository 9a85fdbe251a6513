import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';
import { machineLine, table } from '../machine.js';
import { proseOf } from '../prose.js';
import { startService, temporaryDirectory, untilSettled } from '../service.js';
import { randomStream } from '../words.js';
import { type Contender, head, rowsOf } from './rounds.js';
import { chromaFinder, lanceDbFinder, oursFinder, searchRows } from './searches.js';
import { type System, startChroma, startLanceDb, startTessera } from './systems.js';

/** Where install.sh puts them. */
const installed = '/tmp/counterfoil-peers';

interface Peer {
  readonly name: string;
  readonly version: string;
  /** Why it is missing; empty if it is there. */
  readonly why: string;
}

/**
 * Writes beside a log of Tessera, and searches beside Chroma and LanceDB, one after the other in each round. README.md beside this file
 * says what of it can be compared.
 * @param sizes numbers of memories that are searched
 */
export async function benchPeers(sizes: readonly number[], env: Readonly<Record<string, string>>): Promise<void> {
  const script = join(packageRoot, 'ops/bench/peers/install.sh');
  const printed = execFileSync(script, [installed], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const peers = printed
    .trim()
    .split('\n')
    .map((line): Peer => {
      const [name = '', version = '', why = ''] = line.split('\t');
      return { name, version, why };
    });
  const missing = peers.filter(({ why }) => why !== '').map(({ name, why }) => [`${name} is not measured: ${why}`]);
  const there = new Map(
    peers.filter(({ why }) => why === '').map((peer) => [peer.name, `${peer.name} ${peer.version}`]),
  );
  const rows = [
    ...(await withStore((store) => writesBeside(there, store, env))),
    ...(await withStore((store) => searchesBeside(there, store, sizes, env))),
  ];
  console.log(table([[machineLine()], ...missing, [], ['system', ...head], ...rows]));
}

type There = ReadonlyMap<string, string>;

async function withStore<T>(work: (path: string) => Promise<T>): Promise<T> {
  const store = temporaryDirectory();
  try {
    return await work(store.path);
  } finally {
    store.remove();
  }
}

async function writesBeside(there: There, store: string, env: Readonly<Record<string, string>>) {
  const ours = await startService(join(store, 'ours'), 8196, env);
  const started: System[] = [ours];
  try {
    const prose = proseOf(randomStream(13));
    const body = () => JSON.stringify({ content: prose(500) });
    const settled = () => untilSettled(ours);
    const kinds: Omit<Contender, 'clients' | 'requests'>[] = [
      {
        name: 'memory with receipt, until it is indexed: Counterfoil',
        system: ours,
        path: '/v1/memories',
        body,
        settled,
      },
      { name: 'receipt of a task: Counterfoil', system: ours, path: '/v1/receipts', body: taskReceipt },
    ];
    const name = there.get('tessera');
    if (name !== undefined) {
      const system = await startTessera(installed, join(store, 'tessera'));
      started.push(system);
      kinds.push(
        { name: `entry on disk and in the tree: ${name}`, system, path: '/add', body },
        { name: `entry in a signed checkpoint: ${name}`, system, path: '/published', body },
      );
    }
    const contenders = [32, 1].flatMap((clients) =>
      kinds.map((kind): Contender => ({ ...kind, clients, requests: clients === 1 ? 200 : 2000 })),
    );
    return await rowsOf(contenders);
  } finally {
    for (const system of started) await system.stop();
  }
}

let receipts = 0;

function taskReceipt(): string {
  receipts += 1;
  return JSON.stringify({
    receipt_id: `run ${receipts}`,
    agent_handle: '@archive',
    platform: 'sdk',
    started_at: '2026-01-15T11:59:00Z',
    ended_at: '2026-01-15T11:59:30Z',
    status: 'success',
  });
}

async function searchesBeside(
  there: There,
  store: string,
  sizes: readonly number[],
  env: Readonly<Record<string, string>>,
) {
  const ours = await startService(join(store, 'ours'), 8196, env);
  const started: System[] = [ours];
  const add = async (starting: Promise<System>) => {
    const system = await starting;
    started.push(system);
    return system;
  };
  try {
    const finders = [oursFinder(ours)];
    const [chroma, lance] = [there.get('chroma'), there.get('lancedb')];
    if (chroma !== undefined)
      finders.push(await chromaFinder(chroma, await add(startChroma(installed, join(store, 'chroma')))));
    if (lance !== undefined)
      finders.push(lanceDbFinder(lance, await add(startLanceDb(installed, join(store, 'lancedb')))));
    return await searchRows(finders, sizes);
  } finally {
    for (const system of started) await system.stop();
  }
}
