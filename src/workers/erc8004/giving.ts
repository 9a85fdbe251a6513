import type { Bodies } from '../../../contracts/entries/entry.js';
import { publicErc8004Links } from '../../../projections/agents/erc8004.js';
import {
  endFeedback,
  feedbackFor,
  feedbackToGive,
  postponeFeedback,
  type StoredFeedback,
} from '../../../projections/feedback/files.js';
import { feedbackCall, isFeedbackLog } from '../../adapters/ethereum/feedback-call.js';
import { type EthereumNode, NodeFailed } from '../../adapters/ethereum/node.js';
import type { AgentRegistries } from '../../adapters/ethereum/registries.js';
import type { World } from '../../base/world.js';
import type { Database } from '../../database/database.js';
import { tag1, tag2, valueDecimals } from '../../domain/erc8004/feedback.js';
import type { Purpose, Wanted } from '../ethereum/parts.js';
import type { StoredTransaction } from '../ethereum/rows.js';

interface GivingParts {
  readonly database: Database;
  readonly node: EthereumNode;
  readonly registries: AgentRegistries;
  readonly world: Pick<World, 'now'>;
  /** The account that gives the feedback, as `0x` and 40 lowercase hex digits. */
  readonly client: string;
  readonly baseUrl: string;
  /** Records that receipts of a workspace are counted in feedback that is in a final block; a second time changes nothing. */
  record(workspaceId: string, emission: Bodies['erc8004.emitted']): Promise<void>;
}

/** The gas that the first feedback about an agent uses. */
const leastGas = 185_000n;
/** More than feedback takes whose address is as long as a setting allows. */
const mostGas = 500_000n;
/** How long feedback waits that the registry does not take now. */
const retryMs = 3_600_000;
/** Feedback that is looked at in one step. */
const mostLooks = 20;

/** Feedback about agents: one transaction for each agent and epoch, the oldest epoch first. */
export function givingFeedback(parts: GivingParts): Purpose {
  const { registries } = parts;
  return {
    name: 'feedback',
    mostGas,
    leastGas,
    // A transaction in flight may be of an earlier key.
    isDone: ({ logs }, { recipient, account, data }) =>
      logs.some((log) => isFeedbackLog(log, recipient, account, data)),
    obstacle: () => registries.fault(),
    next: () => nextFeedback(parts),
    record: (row) => recordFeedback(parts, row),
  };
}

const referenceOf = ({ agnId, epoch }: StoredFeedback): string => `${agnId} ${epoch}`;

async function nextFeedback(parts: GivingParts): Promise<Wanted | null> {
  const { database, world, registries } = parts;
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const feedback = await database.read((tx) => feedbackToGive(tx, world.now()));
    if (feedback === null) return null;
    const data = callOf(parts, feedback);
    const wanted = { reference: referenceOf(feedback), recipient: registries.reputation, data };
    const end = await endOf(parts, feedback);
    if (end !== null) {
      await database.transaction((tx) => endFeedback(tx, feedback, end.state, end.problem));
      continue;
    }
    // While something else answers than the registries, nothing is known of the agent, and the sender finds the same obstacle.
    if ((await registries.fault()) !== null) return wanted;
    const problem = await problemOf(parts, feedback, data);
    if (problem === null) return wanted;
    const retryAt = new Date(world.now().getTime() + retryMs);
    await database.transaction((tx) => postponeFeedback(tx, feedback, problem, retryAt));
  }
  return null;
}

interface End {
  readonly state: 'refused' | 'withdrawn';
  readonly problem: string | null;
}

/** Why the feedback is never given; null when it may be. */
async function endOf({ database, client }: GivingParts, feedback: StoredFeedback): Promise<End | null> {
  if (!(await isLinked(database, feedback))) return { state: 'withdrawn', problem: null };
  if (feedback.client === client) return null;
  // The file is published already and never changes, so it would name the wrong account.
  const problem = `Feedback about ${feedback.agnId} for ${feedback.epoch} is not given: its file names the account ${feedback.client}, and ERC8004_KEY_FILE is of ${client} now. Later epochs are given by the new account.`;
  return { state: 'refused', problem };
}

/** Whether the identity is still linked to the agent that the feedback is about. */
async function isLinked(database: Database, { agnId, chainId, registry, agentId }: StoredFeedback): Promise<boolean> {
  const link = (await database.read((tx) => publicErc8004Links(tx, [agnId]))).get(agnId);
  return link?.chain_id === chainId && link.registry === registry && link.agent_id === agentId;
}

function callOf({ baseUrl }: GivingParts, { agnId, epoch, agentId, value, hash }: StoredFeedback): string {
  const uri = `${baseUrl}/v1/agent-id/${agnId}/feedback/${epoch}.json`;
  return feedbackCall({ agentId, value, valueDecimals, tag1, tag2, uri, hash });
}

/** Why the registry would not take the feedback now, as a sentence; null when it would. @throws NodeFailed */
async function problemOf(
  { registries, node, client }: GivingParts,
  feedback: StoredFeedback,
  data: string,
): Promise<string | null> {
  const { agentId } = feedback;
  const about = `Feedback about ${feedback.agnId} for ${feedback.epoch} waits`;
  const agent = await registries.agent(agentId);
  if (agent === null) return `${about}: the registry has no agent ${agentId}.`;
  if (await registries.actsFor(client, agentId, agent.owner)) {
    return `${about}: the account ${client} of ERC8004_KEY_FILE is the owner or an operator of agent ${agentId}, and may give no feedback about it. Use a key of its own.`;
  }
  try {
    await node.call({ from: client, to: registries.reputation, data });
    return null;
  } catch (error) {
    if (error instanceof NodeFailed && error.fault === 'reverted')
      return `${about}, because the registry does not take it now. The node says that ${error.message}.`;
    throw error;
  }
}

async function recordFeedback({ database, record }: GivingParts, row: StoredTransaction): Promise<void> {
  const [agnId = '', epoch = ''] = row.reference.split(' ');
  const feedback = await database.read((tx) => feedbackFor(tx, agnId, epoch));
  const txHash = row.inclusion?.txHash;
  if (feedback === null || txHash === undefined) return;
  if (row.state === 'failed') {
    const problem = `Feedback about ${agnId} for ${epoch} was refused: the transaction ${txHash} has failed.`;
    await database.transaction((tx) => endFeedback(tx, feedback, 'refused', problem));
  }
  if (row.state !== 'done') return;
  for (const { workspaceId, fromSeq: from_seq, toSeq: to_seq, count } of feedback.spans) {
    const { root } = feedback;
    await record(workspaceId, { agn_id: agnId, epoch, from_seq, to_seq, count, root, tx_hash: txHash });
  }
  await database.transaction((tx) => endFeedback(tx, feedback, 'emitted', null));
}
