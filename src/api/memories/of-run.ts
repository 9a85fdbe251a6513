import { newestOfRun } from '../../../projections/memory/queries.js';
import { type Caller, readableNamespaces, requireAccess } from '../../domain/caller.js';
import type { Services } from '../services.js';

/** A memory of a run as it is shown, with the receipt of its write. */
export interface RunMemory {
  readonly memory_id: string;
  readonly content: string;
  readonly source: string | null;
  readonly receipt_id: string;
  readonly receipt_hash: string;
  readonly created_at: string;
}

/**
 * The newest valid memories of a run that a caller reaches and that can be searched, newest first.
 * @param namespaceIds all that the caller reaches, if undefined
 * @throws Refusal namespace_out_of_scope, namespace_not_found, and the refusals of the rights
 */
export async function memoriesOfRun(
  caller: Caller,
  run: string,
  namespaceIds: readonly string[] | undefined,
  limit: number,
  { reading: { read, vault } }: Pick<Services, 'reading'>,
): Promise<RunMemory[]> {
  requireAccess(caller, 'memory.read');
  const reached = readableNamespaces(caller, namespaceIds);
  const rows = await vault.genuine(await read((tx) => newestOfRun(tx, reached, run, limit)));
  return rows.map(({ id, content, source, receipt_id, receipt_hash, created_at }) => ({
    memory_id: id,
    content,
    source,
    receipt_id,
    receipt_hash,
    created_at,
  }));
}
