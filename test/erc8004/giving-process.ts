import pino from 'pino';
import { identitiesOnErc8004, publicErc8004Links } from '../../projections/agents/erc8004.js';
import { openSigner } from '../../src/adapters/ethereum/account.js';
import { type EthereumNode, openNode } from '../../src/adapters/ethereum/node.js';
import { openRegistries } from '../../src/adapters/ethereum/registries.js';
import { realWorld, type World } from '../../src/base/world.js';
import { recordEmission } from '../../src/commands/erc8004.js';
import { createRun } from '../../src/commands/run.js';
import { stateLoader } from '../../src/commands/state/state.js';
import type { App } from '../../src/wiring/app.js';
import { givingFeedback } from '../../src/workers/erc8004/giving.js';
import { makingFeedback } from '../../src/workers/erc8004/making.js';
import type { Outcome } from '../../src/workers/ethereum/parts.js';
import { createSender } from '../../src/workers/ethereum/sender.js';
import { createLease, onlyOwner } from '../../src/workers/lease.js';
import { type Erc8004Chain, feedbackKey } from '../ethereum/erc8004-chain.js';

export interface GiverOptions {
  readonly node?: EthereumNode;
  readonly owner?: string;
  readonly key?: string;
  readonly maxSpendWeiPerDay?: bigint;
}

const never = new AbortController().signal;
const day = 86_400_000;
const confirmations = 2;

/** The processes of a test that make and give feedback: their steps are done when the test says so. */
export function feedbackProcesses(chain: Erc8004Chain, app: App, now: () => Date, checkpoint: () => Promise<unknown>) {
  const { anvil, registries } = chain;
  const { database, ledger } = app;
  const world: World = { ...realWorld, now };
  const real = openNode(anvil.url);
  const run = createRun(ledger, stateLoader(database, now), world);
  const settings = {
    chainId: anvil.chainId,
    identity: registries.identityAddress,
    reputation: registries.reputationAddress,
  };

  function giver(options: GiverOptions = {}) {
    const { node = real, owner = onlyOwner, key = feedbackKey, maxSpendWeiPerDay = 10n ** 18n } = options;
    const signer = openSigner(key);
    const giving = givingFeedback({
      database,
      node,
      world,
      registries: openRegistries(node, settings),
      client: signer.address,
      baseUrl: 'https://first.example',
      record: (workspaceId, emission) => run(workspaceId, recordEmission(world, emission)),
    });
    const fees = { maxFeeWei: 50n * 10n ** 9n, maxTipWei: 3n * 10n ** 9n };
    const setting = { chainId: anvil.chainId, ...fees, maxSpendWeiPerDay, confirmations };
    const lease = createLease(database, 'feedback', owner, 60_000);
    return createSender({ database, node, signer, lease, world, setting }, giving);
  }

  return {
    giver,
    node: real,
    /** Makes the files of all epochs that have ended. */
    async make(): Promise<void> {
      const lease = createLease(database, 'files of feedback', onlyOwner, 60_000);
      const job = makingFeedback({
        database,
        log: pino({ level: 'silent' }),
        world,
        lease,
        epochMs: day,
        client: openSigner(feedbackKey).address,
        async linked(tx, after, limit) {
          const links = await publicErc8004Links(tx, await identitiesOnErc8004(tx, after, limit));
          return [...links.values()].map(({ agn_id, agent_id, linked_at }) => ({
            agnId: agn_id,
            chainId: settings.chainId,
            registry: settings.identity,
            agentId: agent_id,
            linkedAt: linked_at,
          }));
        },
        settle: async () => true,
        checkpoint,
      });
      while (await job.work(never));
      await lease.drop();
    },
    /** Steps, with a block after each, until nothing is left to do at present. @returns the last outcome */
    async giveAll(process: ReturnType<typeof giver> = giver()): Promise<Outcome> {
      for (let steps = 0; steps < 400; steps += 1) {
        const outcome = await process.step();
        if (!outcome.more && !outcome.isWaiting) return outcome;
        if (!outcome.more && outcome.problem?.includes('budget')) return outcome;
        if (!outcome.more) await anvil.mine();
      }
      throw new Error('the giving of feedback does not come to an end');
    },
  };
}
