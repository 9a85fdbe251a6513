import type { Logger } from 'pino';
import { identitiesOnErc8004, publicErc8004Links } from '../../projections/agents/erc8004.js';
import { openNode } from '../adapters/ethereum/node.js';
import type { Outside } from '../adapters/outside.js';
import type { World } from '../base/world.js';
import { recordEmission } from '../commands/erc8004.js';
import type { Run } from '../commands/run.js';
import type { Database, Transaction } from '../database/database.js';
import { createSettledTimes } from '../ledger/settled.js';
import type { Config } from '../settings/config.js';
import type { LinkedAgent } from '../workers/erc8004/due.js';
import { createFeedbackHealth } from '../workers/erc8004/health.js';
import { makingFeedback } from '../workers/erc8004/making.js';
import { sending } from '../workers/ethereum/job.js';
import { createSender } from '../workers/ethereum/sender.js';
import { createLease } from '../workers/lease.js';
import { createWorker, type Job } from '../workers/loop.js';
import type { Engine } from './engines.js';
import type { OpenedErc8004 } from './erc8004.js';

export interface FeedbackParts {
  readonly background: Database;
  readonly run: Run;
  readonly world: World;
  readonly log: Logger;
  /** See `createLease`. */
  readonly owner: string;
  readonly outside: Outside;
  /** Signs a checkpoint over everything that is recorded. */
  checkpoint(): Promise<unknown>;
}

const leaseMs = 120_000;

/** Is logged at a start with linked agents. */
const notice =
  'feedback about linked agents is given in a public registry: for each agent and epoch the share of successes, and the address and hash of a file with counts, rates and latencies. What is given stays public permanently. DELETE /v1/agents/{link_id}/erc8004 ends it for an agent';

/** Feedback about linked agents, where the settings name registries: the files, and the transactions that give it. */
export async function wireFeedback(
  opened: OpenedErc8004 | null,
  { ethereum, baseUrl }: Pick<Config, 'ethereum' | 'baseUrl'>,
  { background: database, run, world, log, owner, outside, checkpoint }: FeedbackParts,
): Promise<readonly Engine[]> {
  if (opened === null || ethereum === undefined) return [];
  const { setting: feedback, registries, signer } = opened;
  const client = signer.address;
  const node = openNode(ethereum.rpcUrl, undefined, outside.ask);
  const { settle } = createSettledTimes(database);
  // Loads the library of Ethereum, which other installations need not wait for.
  const { givingFeedback } = await import('../workers/erc8004/giving.js');
  const giving = givingFeedback({
    database,
    node,
    registries,
    world,
    client,
    baseUrl,
    record: (workspaceId, emission) => run(workspaceId, recordEmission(world, emission)),
  });
  const lease = createLease(database, 'feedback', owner, leaseMs);
  const setting = { ...ethereum, maxSpendWeiPerDay: feedback.maxSpendWeiPerDay };
  const sender = createSender({ database, node, signer, lease, world, setting }, giving);
  const { job, problem } = sending({ sender, lease, world, log });
  const making = makingFeedback({
    database,
    log,
    world,
    lease: createLease(database, 'files of feedback', owner, leaseMs),
    epochMs: feedback.epochMs,
    client,
    linked: (tx, after, limit) => linkedAgents(tx, registries, after, limit),
    settle: async (ms) => (await settle(ms)) >= ms,
    checkpoint,
  });
  const [first] = await database.read((tx) => linkedAgents(tx, registries, '', 1));
  if (first !== undefined) log.warn({ registry: registries.reputation, account: client }, notice);
  const worker = (one: Job) => ['anchoring', createWorker({ world, log }, one)] as const;
  const health = createFeedbackHealth({
    database,
    world,
    setting,
    account: client,
    purpose: giving,
    epochMs: feedback.epochMs,
    problem,
  });
  return [{ workers: [worker(making), worker(job)], health, close: async () => undefined }];
}

/** The identities that are linked now to agents of this registry, those after one. */
async function linkedAgents(
  tx: Transaction,
  { chainId, identity }: { readonly chainId: number; readonly identity: string },
  after: string,
  limit: number,
): Promise<LinkedAgent[]> {
  for (let last = after; ; ) {
    const ids = await identitiesOnErc8004(tx, last, limit);
    const links = [...(await publicErc8004Links(tx, ids)).values()];
    const found = links.filter((link) => link.chain_id === chainId && link.registry === identity);
    const end = ids.at(-1);
    if (found.length > 0 || end === undefined) return found.map(agentOf).sort((a, b) => (a.agnId < b.agnId ? -1 : 1));
    last = end;
  }
}

type Link = Awaited<ReturnType<typeof publicErc8004Links>> extends ReadonlyMap<string, infer L> ? L : never;

const agentOf = ({ agn_id, chain_id, registry, agent_id, linked_at }: Link): LinkedAgent => ({
  agnId: agn_id,
  chainId: chain_id,
  registry,
  agentId: agent_id,
  linkedAt: linked_at,
});
