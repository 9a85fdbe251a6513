import { join } from 'node:path';
import pino from 'pino';
import { logChain } from '../../contracts/log.js';
import { project } from '../../projections/all.js';
import type { ReceiptView } from '../../projections/receipts/queries.js';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { keyStore } from '../../src/adapters/signing-keys.js';
import { realWorld, receiptId } from '../../src/base/world.js';
import { beginChain } from '../../src/commands/open-workspace.js';
import { createProve, type Prove } from '../../src/commands/prove.js';
import { recordInLog } from '../../src/commands/record-in-log.js';
import { createRun } from '../../src/commands/run.js';
import { stateLoader } from '../../src/commands/state/state.js';
import { createVault } from '../../src/commands/vault.js';
import type { Database } from '../../src/database/database.js';
import { genesisBytes, genesisHead, type Head, link } from '../../src/ledger/chain.js';
import { databaseLedger } from '../../src/ledger/engines/database.js';
import { entryHashes } from '../../src/ledger/entry-hashes.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { prepareModels } from '../../src/maintenance/prepare-models.js';
import { rebuildables } from '../../src/maintenance/rebuildable.js';
import { readConfig } from '../../src/settings/config.js';
import { createLogFiles } from '../../src/tlog/files.js';
import { createTransparencyLog, type TransparencyLog } from '../../src/tlog/log.js';
import { consistencyProof } from '../../src/tlog/tree.js';
import { storedTiles } from '../../src/tlog/tree-store.js';
import { parseVerifierKey } from '../../src/verifier/note.js';
import { verifyBundle } from '../../src/verifier/verify.js';
import { openStore } from '../../src/wiring/start/store.js';
import { machineLine, quantile, table } from './machine.js';
import { temporaryDirectory } from './service.js';

const samples = 200;
const changed = 1000;
const noOne = { user_id: null, agent_id: null, app_id: null, run_id: null };

/** A store without a service around it, filled with entries that no read model but the log's knows of. */
interface Bench {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly transparencyLog: TransparencyLog;
  readonly prove: Prove;
}

/**
 * Proofs of receipts in workspaces of this number of entries: how long a checkpoint takes after all of them were written, what a
 * bundle weighs, how long it takes to make and to verify. The baseline is reading the entry and nothing else.
 */
export async function benchProofs(sizes: readonly number[], env: Readonly<Record<string, string>>): Promise<void> {
  const store = temporaryDirectory();
  try {
    const bench = await open(store.path, env);
    const rows: (string | number)[][] = [
      [machineLine()],
      [],
      ['entries', 'work', 'bytes', 'p50 ms', 'p99 ms', 'ratio to reading the entry'],
    ];
    for (const size of sizes) rows.push(...(await measure(bench, size)));
    rows.push(await manyHeads(bench));
    await bench.database.close();
    console.log(table(rows));
  } finally {
    store.remove();
  }
}

async function open(path: string, env: Readonly<Record<string, string>>): Promise<Bench> {
  const database = await openStore(readConfig({ DATA_DIR: path, ...env }));
  await prepareModels(database, rebuildables(lexicalEmbedder()), pino({ level: 'silent' }));
  const ledger = databaseLedger(database, project);
  await beginChain(ledger, realWorld, logChain);
  const run = createRun(ledger, stateLoader(database, realWorld.now), realWorld);
  const keys = keyStore(join(path, 'keys'), 'bench.example.org', realWorld.now);
  const transparencyLog = createTransparencyLog({ database, record: recordInLog(run, realWorld), keys });
  const bare = databaseLedger(database, async () => undefined);
  return {
    database,
    ledger: bare,
    transparencyLog,
    prove: createProve(database, transparencyLog, createVault(console.error), console.error),
  };
}

async function measure(bench: Bench, size: number): Promise<(string | number)[][]> {
  const { database, transparencyLog, prove } = bench;
  const workspace = await fill(bench, size);
  const from = performance.now();
  await transparencyLog.checkpoint();
  const checkpoint = performance.now() - from;
  const trusted = await trustedKeys(database);
  const receipts = await Promise.all(
    Array.from({ length: samples }, (_, i) => receiptAt(database, workspace, 1 + ((i * 7919) % size))),
  );
  const seqs = receipts.map(({ seq }) => seq);
  const read = await each(seqs, (seq) => receiptAt(database, workspace, seq));
  const bundles: Uint8Array[] = [];
  const made = await each(receipts, async (receipt) => {
    bundles.push(Buffer.from(JSON.stringify(await prove(workspace, receipt))));
  });
  const verified = await each(bundles, async (bundle) => {
    const { claims } = verifyBundle(bundle, { keys: trusted });
    if (claims.filter(({ state }) => state === 'verified').length < 3) throw new Error('a bundle does not verify');
  });
  const consistency = await each(seqs, (seq) =>
    database.read((tx) => consistencyProof(storedTiles(tx, workspace, entryHashes), seq, size)),
  );
  const baseline = quantile(read, 0.5);
  const row = (work: string, ms: readonly number[], bytes: number | '' = '') => [
    size,
    work,
    bytes,
    quantile(ms, 0.5).toFixed(2),
    quantile(ms, 0.99).toFixed(2),
    (quantile(ms, 0.5) / baseline).toFixed(2),
  ];
  const bytes = bundles.map((bundle) => bundle.length);
  return [
    row('reading the entry (baseline)', read),
    row('checkpoint after all of them', [checkpoint]),
    row('making a bundle', made, quantile(bytes, 0.5)),
    row('verifying a bundle', verified),
    row('consistency proof to the end', consistency),
  ];
}

/** A workspace with this number of entries, a thousand with each append. */
async function fill({ ledger }: Bench, size: number): Promise<string> {
  const workspace = realWorld.id();
  const genesis = genesisBytes(workspace, realWorld.now().toISOString());
  await ledger.begin(workspace, genesis, realWorld.random(32));
  let head: Head = genesisHead(genesis);
  while (head.seq < size) {
    const drafts = Array.from({ length: Math.min(1000, size - head.seq) }, () => draft());
    const entries = link(workspace, head, drafts);
    await ledger.append(workspace, head, [{ entries, deposits: [], answer: null }]);
    const last = entries.at(-1);
    if (last) head = { seq: last.entry.seq, hash: last.hash };
    if (process.stderr.isTTY) process.stderr.write(`\r${head.seq}/${size} `);
  }
  if (process.stderr.isTTY) process.stderr.write('\r                    \r');
  return workspace;
}

const draft = () => ({
  kind: 'memory.recall' as const,
  receipt_id: receiptId(realWorld),
  recorded_at: realWorld.now().toISOString(),
  actor: { type: 'key' as const, id: null, ...noOne },
  body: { query_commitment: 'c'.repeat(64), namespace_ids: [], mode: 'fused', degraded: [], k: 8, results: [] },
});

async function receiptAt(database: Database, workspace: string, seq: number): Promise<ReceiptView> {
  const [row] = await database.read((tx) =>
    tx.query<ReceiptView>(
      `select receipt_id, seq, '{}'::text[] as namespace_ids, bytes, hash, 'pending' as anchor_state, null as ots
         from entries where chain = $1 and seq = $2`,
      [workspace, seq],
    ),
  );
  if (!row) throw new Error(`there is no entry ${seq}`);
  return row;
}

async function trustedKeys(database: Database) {
  const keys = await createLogFiles(database.read).keys();
  return keys.map((key) => parseVerifierKey(key.verifier_key));
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<number[]> {
  const ms: number[] = [];
  for (const item of items) {
    const from = performance.now();
    await work(item);
    ms.push(performance.now() - from);
  }
  return ms;
}

async function manyHeads(bench: Bench): Promise<(string | number)[]> {
  for (let i = 0; i < changed; i += 1) await fill(bench, 1);
  const from = performance.now();
  await bench.transparencyLog.checkpoint();
  const ms = (performance.now() - from).toFixed(0);
  return [changed, 'checkpoint over as many workspaces that have changed', '', ms, ms, ''];
}
