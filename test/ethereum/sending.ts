import { expect } from 'vitest';
import { logChain } from '../../contracts/chains.js';
import { project } from '../../projections/all.js';
import { type EthereumAnchorRow, ethereumAnchorOf } from '../../projections/log/ethereum-anchors.js';
import { latestCheckpoint } from '../../projections/log/queries.js';
import { openSigner } from '../../src/adapters/ethereum/account.js';
import { readAnchorContract } from '../../src/adapters/ethereum/anchor-contract.js';
import { type EthereumNode, openNode } from '../../src/adapters/ethereum/node.js';
import { realWorld } from '../../src/base/world.js';
import { recordInLog } from '../../src/commands/record-in-log.js';
import { createRun } from '../../src/commands/run.js';
import { stateLoader } from '../../src/commands/state/state.js';
import type { Database } from '../../src/database/database.js';
import { databaseLedger } from '../../src/ledger/engines/database.js';
import { createAnchors } from '../../src/workers/ethereum/anchors.js';
import type { Outcome, SenderSetting } from '../../src/workers/ethereum/parts.js';
import { provingLater } from '../../src/workers/ethereum/proving-later.js';
import { createSender } from '../../src/workers/ethereum/sender.js';
import { createLease, onlyOwner } from '../../src/workers/lease.js';
import { newStore, type Store } from '../maintenance/store.js';
import { deployAnchor } from './anchor-contract.js';
import { type Anvil, type AnvilOptions, fundedKeys, startAnvil } from './anvil.js';

export interface ProcessOptions {
  readonly database?: Database;
  readonly node?: EthereumNode;
  readonly owner?: string;
  readonly key?: string;
  readonly setting?: Partial<SenderSetting>;
  readonly anchorAddress?: string;
}

/** One process that anchors: its steps are done when a test says so. */
export interface Process {
  step(): Promise<Outcome>;
  lookBack(): Promise<Outcome>;
  readonly account: string;
  /** Proves one anchor that is final without a proof. @returns whether it did */
  prove(): Promise<boolean>;
  /** The blocks of the anchors that became final without a proof. */
  readonly unproved: readonly string[];
}

export interface Sending {
  readonly store: Store;
  readonly anvil: Anvil;
  readonly node: EthereumNode;
  readonly contract: string;
  start(options?: ProcessOptions): Process;
  /** Signs a checkpoint over something new. @returns its size */
  checkpoint(): Promise<number>;
  anchorOf(size: number): Promise<EthereumAnchorRow | undefined>;
  /** Steps, with a block after each, until the newest checkpoint has a final anchor. */
  untilFinal(process: Process): Promise<void>;
  /** The kinds of the entries about anchors with the sizes, in their order. */
  entries(): Promise<string[]>;
  /** Compares the ether that the account has spent since `before` with the recorded costs, and what is paid with what is due. */
  check(account: string, before: bigint): Promise<void>;
  close(): Promise<void>;
}

/** The second account of anvil pays for anchors, so that the first one can deploy. */
export const key = fundedKeys[1];
export const confirmations = 3;
const mostSteps = 400;
const anchorCode = readAnchorContract().deployedBytecode;

/** A store with a public log, and a chain with the contract. */
export async function newSending({ automine = true, ...options }: AnvilOptions = {}): Promise<Sending> {
  const [store, anvil] = await Promise.all([newStore(), startAnvil(options)]);
  const deployed = await deployAnchor(anvil);
  deployed.provider.destroy();
  if (!automine) await anvil.call('evm_setAutomine', [false]);
  const contract = deployed.address.toLowerCase();
  const node = openNode(anvil.url);
  const anchorOf = (size: number) => store.database.read((tx) => ethereumAnchorOf(tx, size));

  return {
    store,
    anvil,
    node,
    contract,
    anchorOf,
    start: (given = {}) => startProcess(store, { node, anchorAddress: contract, ...given }, anvil.chainId),
    async checkpoint() {
      await store.openWorkspace();
      await store.checkpoint();
      const made = await store.database.read(latestCheckpoint);
      if (made === undefined) throw new Error('no checkpoint was made');
      return made.size;
    },
    async untilFinal(process) {
      for (let steps = 0; steps < mostSteps; steps += 1) {
        const newest = await store.database.read(latestCheckpoint);
        const anchor = newest && (await anchorOf(newest.size));
        const { more } = await process.step();
        if (anchor?.state === 'final' && !more) return;
        if (!more) await anvil.mine();
      }
      throw new Error('the newest checkpoint gets no final anchor');
    },
    async entries() {
      const rows = await store.sql<{ kind: string; size: number }>(
        `select e ->> 'kind' as kind, (e #>> '{body,size}')::int as size
           from (select seq, convert_from(bytes, 'UTF8')::json as e from entries where chain = $1) parsed
          where e #>> '{body,type}' = 'ethereum' order by seq`,
        [logChain],
      );
      return rows.map(({ kind, size }) => `${kind.slice('anchor.'.length)} ${size}`);
    },
    async check(account, before) {
      const rows = await store.sql<{ reference: string; state: string; paid: string; recorded: boolean }>(
        'select reference, state, paid::text, recorded from ethereum_transactions where account = $1 order by nonce',
        [account],
      );
      const spent = rows.reduce((sum, { paid }) => sum + BigInt(paid), 0n);
      expect(before - (await node.balance(account))).toBe(spent);
      expect(await node.transactionCount(account, 'latest')).toBe(rows.length);
      expect(rows.filter(({ state, recorded }) => state !== 'done' || !recorded)).toEqual([]);
      expect(new Set(rows.map(({ reference }) => reference)).size).toBe(rows.length);
      for (const { reference } of rows) {
        expect(await anchorOf(Number(reference))).toMatchObject({ state: 'final', header: expect.any(Uint8Array) });
      }
    },
    async close() {
      await anvil.kill();
      await store.close();
    },
  };
}

function startProcess(
  store: Store,
  options: ProcessOptions & { node: EthereumNode; anchorAddress: string },
  chainId: number,
): Process {
  const { node, anchorAddress, database = store.database, owner = onlyOwner } = options;
  const run = createRun(databaseLedger(database, project), stateLoader(database, realWorld.now), realWorld);
  const signer = openSigner(options.key ?? key);
  const unproved: string[] = [];
  const record = recordInLog(run, realWorld);
  const anchors = createAnchors({
    database,
    node,
    anchorAddress,
    anchorCode,
    world: realWorld,
    record,
    intervalMs: 0,
    onUnproved: (blockHash) => unproved.push(blockHash),
  });
  const setting = {
    chainId,
    maxFeeWei: 50n * 10n ** 9n,
    maxTipWei: 3n * 10n ** 9n,
    maxSpendWeiPerDay: 10n ** 18n,
    confirmations,
    ...options.setting,
  };
  const lease = createLease(database, 'ethereum anchors', owner, 60_000);
  const { step, lookBack } = createSender({ database, node, signer, lease, world: realWorld, setting }, anchors);
  const later = provingLater({ database, node, record, setting, lease });
  const prove = () => later.work(new AbortController().signal);
  return { step, lookBack, prove, account: signer.address, unproved };
}
