import { type MemoryRow, memoriesFor, type NamespaceRow, namespacesNamed } from '../../projections/memory/state.js';
import type { Database } from '../adapters/database/database.js';
import type { MemoryState, NamespaceState, Wants } from '../domain/state.js';
import { keptAnswers } from '../ledger/answers.js';
import { readHead } from '../ledger/database-ledger.js';
import type { Loaded } from './run.js';

/** Loads what a batch of commands wants to see of its workspace, in one transaction. */
export function stateLoader(database: Database, now: () => Date) {
  return (workspaceId: string, wants: readonly Wants[]): Promise<Loaded> => {
    const all = (pick: (want: Wants) => readonly string[]) => [...new Set(wants.flatMap(pick))];
    const memoryIds = all((want) => want.memoryIds);
    const contentHashes = all((want) => want.contentHashes);
    return database.read(async (tx) => {
      const named = all((want) => want.namespaces);
      // The head first: a state that is newer than it ends in a conflict, one that is older would go unnoticed.
      const [head, namespaces, memories, answers] = await Promise.all([
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
      ]);
      return {
        head,
        state: { namespaces: namespaces.map(namespaceState), memories: new Map(memories.map(memoryState)), answers },
      };
    });
  };
}

function namespaceState({ id, name, is_default: isDefault }: NamespaceRow): NamespaceState {
  return { id, name, isDefault };
}

function memoryState(row: MemoryRow): [string, MemoryState] {
  const { id, stage, namespace_id: namespaceId, content_hash: contentHash, job_id: jobId } = row;
  return [id, { id, namespaceId, contentHash, jobId, stage, receiptId: row.receipt_id, receiptHash: row.receipt_hash }];
}
