import { memoriesFor, namespacesNamed } from '../../projections/memory/state.js';
import type { Database } from '../adapters/database/database.js';
import { type MemoryState, type Wants, type WorkspaceState, wantsNothing } from '../domain/state.js';

/** Loads what a batch of commands wants to see of its workspace, in one transaction. */
export function stateLoader(database: Database) {
  return (workspaceId: string, wants: readonly Wants[]): Promise<WorkspaceState> => {
    const all = (pick: (want: Wants) => readonly string[]) => [...new Set(wants.flatMap(pick))];
    const memoryIds = all((want) => want.memoryIds);
    const contentHashes = all((want) => want.contentHashes);
    const nothing = wants.every((want) => want === wantsNothing);
    if (nothing) return Promise.resolve({ namespaces: [], memories: new Map() });
    return database.read(async (tx) => {
      const named = all((want) => want.namespaces);
      const [namespaces, memories] = await Promise.all([
        namespacesNamed(tx, workspaceId, named),
        memoryIds.length + contentHashes.length === 0
          ? []
          : memoriesFor(tx, workspaceId, named, memoryIds, contentHashes),
      ]);
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
