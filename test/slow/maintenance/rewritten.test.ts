import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { registryChain } from '../../../contracts/chains.js';
import { logChain } from '../../../contracts/log.js';
import { project } from '../../../projections/all.js';
import { keyStore } from '../../../src/adapters/signing-keys.js';
import { realWorld } from '../../../src/base/world.js';
import { recordInLog } from '../../../src/commands/record-in-log.js';
import { createRun } from '../../../src/commands/run.js';
import { stateLoader } from '../../../src/commands/state/state.js';
import type { Row, Value } from '../../../src/database/database.js';
import { canonicalBytes, entryHash } from '../../../src/ledger/chain.js';
import { databaseLedger } from '../../../src/ledger/engines/database.js';
import { takeOverPlan } from '../../../src/maintenance/take-over.js';
import { createTransparencyLog } from '../../../src/tlog/log.js';
import { copyOf, evaluated, prove, visit } from '../../http/log-reader.js';
import { type Service, startService } from '../../http/service.js';
import { preparedDirectory } from '../../support/prepared-store.js';

// Each starts several services, which takes a while on a machine that does other things too.
vi.setConfig({ testTimeout: 240_000 });

/** Each way to rewrite history: who notices, with which sentence, and when. The README's table says the same. */
let directory: string;
let state: string;
let service: Service;
let twin: Service | undefined;
const copies: string[] = [];

/** Of a service that has signed over three memories and was stopped, with what an auditor has seen of it. */
let base: string;
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'counterfoil-rewritten-'));
  await preparedDirectory(base);
  const first = await startService({ DATA_DIR: base });
  for (const content of ['one', 'two', 'three']) await prove(first, content);
  expect(await visit(first, join(base, 'auditor.json'))).toMatchObject({ code: 0 });
  await first.stop();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

beforeEach(async () => {
  directory = copyOf(base);
  state = join(directory, 'auditor.json');
  copies.push(directory);
  service = await startService({ DATA_DIR: directory });
});
afterEach(async () => {
  await service.stop();
  await twin?.stop();
  twin = undefined;
  for (const path of copies.splice(0)) rmSync(path, { recursive: true, force: true });
});

const fsck = async (of = service) => {
  const outcome = await of.app.maintenance.get('fsck')?.([], () => undefined);
  return outcome?.text ?? '';
};
/** A fault of the ledger or of the log comes before what does not follow from it any more. */
const firstLine = (text: string) => text.split('\n', 1)[0];
const sql = <R extends Row>(statement: string, params: readonly Value[] = []) =>
  service.app.database.transaction((tx) => tx.query<R>(statement, params));

/** Everything that an operator does who is sure that nothing larger was signed, or wants others to believe it. */
async function takeOver(): Promise<void> {
  const command = service.app.maintenance.get('take-over');
  const { size, root } = takeOverPlan.parse(JSON.parse((await command?.([], () => undefined))?.text ?? ''));
  expect(await command?.([String(size), root], () => undefined)).toMatchObject({ ok: true });
}

/** The answer of the signer of a service that must sign. */
async function signing({ app: { database } }: Service, keys: string): Promise<string> {
  const run = createRun(databaseLedger(database, project), stateLoader(database, realWorld.now), realWorld);
  const store = keyStore(keys, 'unused', realWorld.now);
  const log = createTransparencyLog({ database, record: recordInLog(run, realWorld), keys: store });
  return log.checkpoint().then(
    () => 'signed',
    (error: unknown) => String(error),
  );
}

async function workspace(): Promise<{ chain: string; head_seq: number }> {
  const [row] = await sql<{ chain: string; head_seq: number }>(
    'select chain::text, head_seq from chains where chain <> all($1::uuid[])',
    [[logChain, registryChain]],
  );
  if (!row) throw new Error('there is no workspace');
  return row;
}

/** Stops the service, does something to its directory, and starts it on what is there then. */
async function restarted(change: () => void): Promise<void> {
  await service.stop();
  change();
  service = await startService({ DATA_DIR: directory });
}

function restore(backup: string): void {
  rmSync(join(directory, 'pgdata'), { recursive: true });
  cpSync(join(backup, 'pgdata'), join(directory, 'pgdata'), { recursive: true });
}

describe('(a) an entry was changed in the database', () => {
  it('is noticed by fsck at once', async () => {
    const { chain } = await workspace();
    await sql('update entries set bytes = set_byte(bytes, 40, get_byte(bytes, 40) # 1) where chain = $1 and seq = 3', [
      chain,
    ]);
    expect(firstLine(await fsck())).toBe(
      `In the table entries, entry 3 of workspace ${chain}: its bytes do not hash to its stored hash.`,
    );
  });

  it('by someone who has hashed the chain again too, is noticed by fsck at once, by the head in the log', async () => {
    const { chain, head_seq } = await workspace();
    const [row] = await sql<{ bytes: Uint8Array }>('select bytes from entries where chain = $1 and seq = $2', [
      chain,
      head_seq,
    ]);
    const entry = JSON.parse(Buffer.from(row?.bytes ?? []).toString('utf8'));
    const bytes = canonicalBytes({ ...entry, recorded_at: '2020-01-01T00:00:00.000Z' });
    const hash = Buffer.from(entryHash(bytes), 'hex');
    await sql('update entries set bytes = $3, hash = $4 where chain = $1 and seq = $2', [chain, head_seq, bytes, hash]);
    await sql('update chains set head_hash = $2 where chain = $1', [chain, hash]);
    expect(firstLine(await fsck())).toMatch(
      new RegExp(
        `^Leaf \\d+ of the table log_leaves, a head of workspace ${chain}, does not have the hash of entry ${head_seq} as its head_hash\\.$`,
      ),
    );
  });
});

describe('(b) the end of a chain was taken away', () => {
  it('is noticed by fsck at once, by the head in the log', async () => {
    const { chain, head_seq } = await workspace();
    await sql(
      'delete from vault using entries e where e.receipt_id = vault.receipt_id and e.chain = $1 and e.seq = $2',
      [chain, head_seq],
    );
    await sql('delete from entries where chain = $1 and seq = $2', [chain, head_seq]);
    await sql(
      `update chains c set head_seq = e.seq, head_hash = e.hash from entries e
        where c.chain = $1 and e.chain = c.chain and e.seq = $2`,
      [chain, head_seq - 1],
    );
    expect(firstLine(await fsck())).toBe(
      `The table log_leaves has a head of ${head_seq} entries of workspace ${chain}, whose head in the table chains is entry ${head_seq - 1}.`,
    );
    // The log itself is as it was.
    expect(await visit(service, state)).toMatchObject({ code: 0 });
  });
});

describe('(c) an old backup of the store was put back, and the keys stayed', () => {
  it('is noticed by fsck at once, by the signer at the next checkpoint, by an auditor at the next visit', async () => {
    for (const content of ['four', 'five', 'six']) await prove(service, content);
    expect(await visit(service, state)).toMatchObject({ code: 0 });
    await restarted(() => restore(base));
    const behind =
      /A checkpoint of (\d+) leaves was signed with the keys in .*, and the log in this store has only \d+ leaves. Restore a store that is not older than that checkpoint\. If it is lost permanently, stop every process and end the log: counterfoil log succeed/;
    expect(await fsck()).toMatch(behind);
    expect(await prove(service, 'other four')).not.toHaveProperty('checkpoint');
    expect(await signing(service, join(directory, 'keys'))).toMatch(behind);
    expect(await visit(service, state)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^The log has \d+ leaves now, fewer than the checkpoint of \d+ leaves that was seen/),
    });
    // By itself that is no proof.
    expect(await evaluated(`${state}.evidence.json`)).toMatchObject({ code: 1 });
  });
});

describe('(d) two stores with the same keys have grown apart', () => {
  it('is noticed by anyone who sees both, and shown to others; each store is sound by itself', async () => {
    const fork = copyOf(base);
    copies.push(fork);
    twin = await startService({ DATA_DIR: fork });
    await prove(service, 'what this one remembers');
    await prove(twin, 'what that one remembers');
    expect(await visit(service, state)).toMatchObject({ code: 0 });
    const { code, text } = await visit(twin, state);
    expect(text).toMatch(
      /^The log has forked: it has signed the root \w{64} and not that of the checkpoint of \d+ leaves/,
    );
    expect(code).toBe(1);
    expect(await evaluated(`${state}.evidence.json`)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/has signed two different trees of \d+ leaves/),
    });
    for (const one of [service, twin]) expect(await fsck(one)).toContain('No fault');
  });
});

describe('(e) history was signed again with the same key', () => {
  it('is noticed by an auditor at the next visit, and shown to others', async () => {
    await prove(service, 'four');
    expect(await visit(service, state)).toMatchObject({ code: 0 });
    await restarted(() => {
      restore(base);
      rmSync(join(directory, 'keys/last-signed.json'));
    });
    expect(await prove(service, 'not signed')).not.toHaveProperty('checkpoint');
    await takeOver();
    for (const content of ['other four', 'other five'])
      expect(await prove(service, content)).toHaveProperty('checkpoint');
    expect(await fsck()).toContain('No fault');
    const { code, text } = await visit(service, state);
    expect(text).toMatch(/^The log was rewritten: its checkpoint of \d+ leaves does not extend the checkpoint of \d+/);
    expect(code).toBe(1);
    expect(await evaluated(`${state}.evidence.json`)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/has signed a tree of \d+ leaves that does not begin with the tree of \d+ leaves/),
    });
  });
});
