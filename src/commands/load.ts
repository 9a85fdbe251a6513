import { keysOf, membersOf, rulesOf } from '../../projections/account/queries.js';
import { agentsNamed } from '../../projections/agents/queries.js';
import {
  type MemoryRow,
  memoriesFor,
  memoryCounts,
  type NamespaceRow,
  namespacesNamed,
} from '../../projections/memory/state.js';
import { webhooksOf } from '../../projections/webhooks/queries.js';
import type { Database } from '../adapters/database/database.js';
import { defaultRules, type MemoryState, type NamespaceState, type Wants } from '../domain/state.js';
import { keptAnswers } from '../ledger/answers.js';
import { readHead } from '../ledger/database-ledger.js';
import type { Loaded } from './run.js';

/** Loads what a batch of commands wants to see of its workspace, in one transaction. */
export function stateLoader(database: Database, now: () => Date) {
  return (workspaceId: string, wants: readonly Wants[]): Promise<Loaded> => {
    const all = (pick: (want: Wants) => readonly string[]) => [...new Set(wants.flatMap(pick))];
    const memoryIds = all((want) => want.memoryIds);
    const contentHashes = all((want) => want.contentHashes);
    const keyIds = all((want) => want.keyIds);
    const agentNames = all((want) => want.agents);
    const counted = all((want) => want.counted);
    return database.read(async (tx) => {
      const named = all((want) => want.namespaces);
      // The head first: a state that is newer than it ends in a conflict, one that is older would go unnoticed.
      const [head, namespaces, memories, answers, keys, agents, webhooks, counts, rules, members] = await Promise.all([
        readHead(tx, workspaceId),
        namespacesNamed(tx, workspaceId, named),
        memoryIds.length + contentHashes.length === 0
          ? []
          : memoriesFor(tx, workspaceId, named, memoryIds, contentHashes),
        keptAnswers(
          tx,
          workspaceId,
          all((want) => want.requestKeys),
          now(),
        ),
        keyIds.length === 0 ? [] : keysOf(tx, workspaceId, keyIds),
        agentNames.length === 0 ? [] : agentsNamed(tx, workspaceId, agentNames),
        wants.some((want) => want.webhooks) ? webhooksOf(tx, workspaceId) : [],
        counted.length === 0 ? [] : memoryCounts(tx, counted),
        wants.some((want) => want.rules) ? rulesOf(tx, workspaceId) : defaultRules,
        wants.some((want) => want.members) ? membersOf(tx, workspaceId) : [],
      ]);
      return {
        head,
        state: {
          namespaces: namespaces.map(namespaceState),
          memories: new Map(memories.map(memoryState)),
          answers,
          keys: new Map(keys.map(({ id, receipt_id }) => [id, { id, receiptId: receipt_id }])),
          agents: new Map(
            agents.map(({ id, agent_id, receipt_id }) => [agent_id, { id, agentId: agent_id, receiptId: receipt_id }]),
          ),
          webhooks: new Map(
            webhooks.map(({ id, agent_id, receipt_id }) => [id, { id, agentId: agent_id, receiptId: receipt_id }]),
          ),
          counts: new Map(counts.map(({ id, count }) => [id, count])),
          rules,
          members: new Map(members.map(({ receipt_id, ...one }) => [one.id, { ...one, receiptId: receipt_id }])),
        },
      };
    });
  };
}

function namespaceState({ id, name, is_default: isDefault, deleted }: NamespaceRow): NamespaceState {
  return { id, name, isDefault, deleted };
}

function memoryState(row: MemoryRow): [string, MemoryState] {
  const { id, stage, namespace_id: namespaceId, content_hash: contentHash, job_id: jobId } = row;
  return [id, { id, namespaceId, contentHash, jobId, stage, receiptId: row.receipt_id, receiptHash: row.receipt_hash }];
}
