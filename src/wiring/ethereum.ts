import type { Logger } from 'pino';
import { latestEthereumAnchor } from '../../projections/log/ethereum-anchors.js';
import { isRefusal } from '../adapters/ethereum/faults.js';
import { type EthereumNode, NodeFailed, openNode, openNodeForStart } from '../adapters/ethereum/node.js';
import type { Outside } from '../adapters/outside.js';
import type { World } from '../base/world.js';
import { recordInLog } from '../commands/record-in-log.js';
import type { Run } from '../commands/run.js';
import type { Database } from '../database/database.js';
import type { Config } from '../settings/config.js';
import type { EthereumSetting } from '../settings/ethereum.js';
import { WrongSetting } from '../settings/wrong-setting.js';
import { createAnchors, faultOfContract } from '../workers/ethereum/anchors.js';
import { createEthereumHealth } from '../workers/ethereum/health.js';
import { sending } from '../workers/ethereum/job.js';
import { provingLater } from '../workers/ethereum/proving-later.js';
import { usedChains } from '../workers/ethereum/rows.js';
import { createSender } from '../workers/ethereum/sender.js';
import { createLease } from '../workers/lease.js';
import { createWorker } from '../workers/loop.js';
import type { Engine } from './engines.js';
import type { OpenedErc8004 } from './erc8004.js';
import { type FeedbackParts, wireFeedback } from './erc8004-feedback.js';

interface Parts {
  readonly background: Database;
  readonly run: Run;
  readonly world: World;
  readonly log: Logger;
  /** See `createLease`. */
  readonly owner: string;
  readonly outside: Outside;
}

/** A step asks the node some ten questions, each with a deadline of ten seconds. */
const leaseMs = 120_000;

/** Anchors on Ethereum and feedback about agents, where the settings name a contract and registries. @throws WrongSetting */
export async function wireEthereum(
  config: Pick<Config, 'ethereum' | 'baseUrl'>,
  erc8004: OpenedErc8004 | null,
  parts: Parts & FeedbackParts,
): Promise<readonly Engine[]> {
  if (config.ethereum === undefined) return [];
  return [await anchorEngine(config.ethereum, parts), ...(await wireFeedback(erc8004, config, parts))];
}

async function anchorEngine(setting: EthereumSetting, parts: Parts): Promise<Engine> {
  const { background: database, run, world, log, owner, outside } = parts;
  await requireSameChain(database, setting);
  // The library takes a quarter of a second to load, which other installations need not wait for.
  const { openSigner } = await import('../adapters/ethereum/account.js');
  const { readAnchorContract } = await import('../adapters/ethereum/anchor-contract.js');
  const anchorCode = readAnchorContract().deployedBytecode;
  await requireContract(openNodeForStart(setting.rpcUrl, outside.ask), setting, anchorCode, log);
  const node = openNode(setting.rpcUrl, undefined, outside.ask);
  const signer = openSigner(setting.privateKey);
  const lease = createLease(database, 'ethereum anchors', owner, leaseMs);
  const record = recordInLog(run, world);
  const anchors = createAnchors({
    database,
    node,
    world,
    record,
    anchorAddress: setting.anchorAddress,
    anchorCode,
    intervalMs: setting.intervalMs,
    onUnproved: (blockHash) =>
      log.warn(
        { block_hash: blockHash },
        'an anchor on Ethereum is final without a proof: the node does not know eth_getBlockReceipts',
      ),
  });
  const sender = createSender({ database, node, signer, lease, world, setting }, anchors);
  const { job, problem } = sending({ sender, lease, world, log });
  return {
    workers: [job, provingLater({ database, node, record, setting, lease })].map(
      (one) => ['anchoring', createWorker({ world, log }, one)] as const,
    ),
    health: createEthereumHealth({ database, world, setting, account: signer.address, purpose: anchors, problem }),
    close: async () => undefined,
  };
}

/** @throws WrongSetting when this store has anchored on another chain */
async function requireSameChain(database: Database, { chainId }: EthereumSetting): Promise<void> {
  const used = await database.read(async (tx) => [
    (await latestEthereumAnchor(tx))?.chain_id,
    ...(await usedChains(tx)),
  ]);
  const other = used.find((id) => id !== undefined && id !== chainId);
  if (other === undefined) return;
  throw new WrongSetting(
    `ETH_CHAIN_ID is wrong: it is ${chainId}, and this store anchors on chain ${other}, which never changes. Set ETH_CHAIN_ID to ${other}.`,
  );
}

/** A node that is away is asked again later. @throws WrongSetting */
async function requireContract(
  node: EthereumNode,
  { chainId, anchorAddress }: EthereumSetting,
  anchorCode: string,
  log: Logger,
) {
  try {
    const answered = await node.chainId();
    if (answered !== chainId) {
      throw new WrongSetting(
        `ETH_CHAIN_ID is wrong: it is ${chainId}, and the node of ETH_RPC_URL is of chain ${answered}.`,
      );
    }
    const fault = await faultOfContract(node, { anchorAddress, anchorCode });
    if (fault !== null) {
      throw new WrongSetting(
        `ETH_ANCHOR_ADDRESS is wrong: ${fault} on chain ${chainId}. Run counterfoil ethereum deploy.`,
      );
    }
  } catch (error) {
    if (!(error instanceof NodeFailed)) throw error;
    if (isRefusal(error.fault)) throw new WrongSetting(`ETH_RPC_URL is wrong: ${error.message}.`);
    log.warn({ reason: error.message }, 'the node of Ethereum does not answer; checkpoints are anchored later');
  }
}
