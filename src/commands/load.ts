import type { Plan, WriteRules } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import { keysOf, membersOf, rulesOf } from '../../projections/account/queries.js';
import { agentsNamed } from '../../projections/agents/queries.js';
import { approvalStates } from '../../projections/approvals/queries.js';
import {
  type MemoryRow,
  memoriesFor,
  memoryCounts,
  type NamespaceRow,
  namespacesNamed,
} from '../../projections/memory/state.js';
import { meterOf } from '../../projections/meter/queries.js';
import { webhooksOf } from '../../projections/webhooks/queries.js';
import type { Database, Transaction } from '../adapters/database/database.js';
import { monthOf, noMeter, stopsAtLimits } from '../domain/plan.js';
import { emptyState, type MemoryState, type NamespaceState, type Wants } from '../domain/state.js';
import { storedAnswers } from '../ledger/answers.js';
import { readHead } from '../ledger/entries.js';
import type { Loaded } from './run.js';

/** Loads what a batch of commands wants to see of its workspace, in one transaction. */
export function stateLoader(database: Database, now: () => Date) {
  return (workspaceId: string, wants: readonly Wants[]): Promise<Loaded> =>
    database.read((tx) => loadState(tx, workspaceId, wants, now()));
}

/** What was wanted of a workspace, and the end of its chain. */
export async function loadState(
  tx: Transaction,
  workspaceId: string,
  wants: readonly Wants[],
  now: Date,
): Promise<Loaded> {
  const all = (pick: (want: Wants) => readonly string[]) => [...new Set(wants.flatMap(pick))];
  const [named, memoryIds, contentHashes] = [
    all((want) => want.namespaces),
    all((want) => want.memoryIds),
    all((want) => want.contentHashes),
  ];
  const [keyIds, counted, requestKeys, agentNames, memberIds] = [
    all((want) => want.keyIds),
    all((want) => want.counted),
    all((want) => want.requestKeys),
    all((want) => want.agents),
    all((want) => want.memberIds),
  ];
  const everybody = wants.some((want) => want.members);
  // The head first: a state that is newer than it ends in a conflict, one that is older would go unnoticed.
  const [head, namespaces, memories, answers, keys, agents, webhooks, counts, governance, members] = await Promise.all([
    readHead(tx, workspaceId),
    namespacesNamed(tx, workspaceId, named),
    memoryIds.length + contentHashes.length === 0 ? [] : memoriesFor(tx, workspaceId, named, memoryIds, contentHashes),
    storedAnswers(tx, workspaceId, requestKeys, now),
    keyIds.length === 0 ? [] : keysOf(tx, workspaceId, keyIds),
    agentNames.length === 0 ? [] : agentsNamed(tx, workspaceId, agentNames),
    wants.some((want) => want.webhooks) ? webhooksOf(tx, workspaceId) : [],
    counted.length === 0 ? [] : memoryCounts(tx, counted),
    governanceOf(tx, workspaceId, wants, now),
    everybody || memberIds.length > 0 ? membersOf(tx, workspaceId, everybody ? null : memberIds) : [],
  ]);
  return {
    head,
    state: {
      namespaces: namespaces.map(namespaceState),
      memories: new Map(memories.map(memoryState)),
      answers,
      keys: new Map(
        keys.map(({ id, receipt_id, namespace_ids }) => [
          id,
          { id, namespaceIds: namespace_ids, receiptId: receipt_id },
        ]),
      ),
      agents: new Map(
        agents.map(({ id, agent_id, receipt_id }) => [agent_id, { id, agentId: agent_id, receiptId: receipt_id }]),
      ),
      webhooks: new Map(
        webhooks.map(({ id, agent_id, receipt_id }) => [id, { id, agentId: agent_id, receiptId: receipt_id }]),
      ),
      counts: new Map(counts.map(({ id, count }) => [id, count])),
      ...governance,
      members: new Map(members.map(({ receipt_id, ...one }) => [one.id, { ...one, receiptId: receipt_id }])),
    },
  };
}

/** What rules and plan say, and the approvals that can matter once that is known. */
async function governanceOf(tx: Transaction, workspaceId: string, wants: readonly Wants[], now: Date) {
  const { rules, plan }: { rules: WriteRules; plan: Plan } = wants.some((want) => want.rules)
    ? await rulesOf(tx, workspaceId)
    : emptyState;
  const asks = rules.ask_owner.length > 0;
  const ids = [...new Set(wants.flatMap((want) => want.approvals))];
  const requesters = wants.flatMap(({ requester }) =>
    requester !== null && (asks || requester.holds === 'surely') ? requester.id : [],
  );
  const approvals =
    ids.length + requesters.length === 0
      ? []
      : await approvalStates(tx, workspaceId, ids, [...new Set(requesters)], limits.pendingApprovals).catch((cause) => {
          throw new Refusal('approval_unavailable', undefined, {}, { cause });
        });
  const meter = stopsAtLimits(plan) ? await readMeter(tx, workspaceId, now) : noMeter;
  return { rules, plan, meter, approvals: new Map(approvals.map((one) => [one.id, one])) };
}

/** @throws Refusal meter_unavailable: without it nobody knows whether the plan has room */
function readMeter(tx: Transaction, workspaceId: string, now: Date) {
  return meterOf(tx, workspaceId, monthOf(now.toISOString())).catch((cause) => {
    throw new Refusal('meter_unavailable', undefined, {}, { cause });
  });
}

function namespaceState({ id, name, is_default: isDefault, deleted }: NamespaceRow): NamespaceState {
  return { id, name, isDefault, deleted };
}

function memoryState(row: MemoryRow): [string, MemoryState] {
  const { id, stage, namespace_id: namespaceId, content_hash: contentHash, job_id: jobId } = row;
  return [id, { id, namespaceId, contentHash, jobId, stage, receiptId: row.receipt_id, receiptHash: row.receipt_hash }];
}
