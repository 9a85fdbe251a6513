import { memoriesFor, namespacesNamed } from '../../projections/memory/state.js';
import type { Database } from '../adapters/database/database.js';
import type { MemoryState, Wants, WorkspaceState } from '../domain/state.js';

/** Loads what a batch of commands wants to see of its workspace, in one transaction. */
export function stateLoader(database: Database) {
  return (workspaceId: string, wants: readonly Wants[]): Promise<WorkspaceState> => {
    const all = (pick: (want: Wants) => readonly string[]) => [...new Set(wants.flatMap(pick))];
    const memoryIds = all((want) => want.memoryIds);
    const contentHashes = all((want) => want.contentHashes);
    return database.transaction(async (tx) => {
      const namespaces = await namespacesNamed(
        tx,
        workspaceId,
        all((want) => want.namespaces),
      );
      const memories =
        memoryIds.length + contentHashes.length === 0
          ? []
          : await memoriesFor(tx, workspaceId, memoryIds, contentHashes);
      return {
        namespaces: namespaces.map(({ id, name, is_default: isDefault }) => ({ id, name, isDefault })),
        memories: new Map(
          memories.map((row): [string, MemoryState] => [
            row.id,
            {
              id: row.id,
              namespaceId: row.namespace_id,
              contentHash: row.content_hash,
              jobId: row.job_id,
              stage: row.stage,
              receiptId: row.receipt_id,
              receiptHash: row.receipt_hash,
            },
          ]),
        ),
      };
    });
  };
}
