import { z } from 'zod';
import { limits } from '../../../contracts/limits.js';
import { type ApprovalView, excerptsOf } from '../../../projections/approvals/queries.js';
import { type Caller, isAdmin } from '../../domain/caller.js';
import type { HeldText } from '../../domain/held-write.js';
import type { ForReading } from '../services.js';

/** As the vault has it (`HeldText`). */
const stored: z.ZodType<HeldText> = z.object({
  excerpt: z.string(),
  bytes: z.int(),
  source: z.string().nullable(),
  metadata_keys: z.array(z.string()),
});

/** The excerpts of the held writes among these approvals, by the id of the approval. Only callers who may decide are given them. */
export async function heldTexts(
  { read, vault }: ForReading,
  caller: Caller,
  rows: readonly ApprovalView[],
): Promise<ReadonlyMap<string, HeldShape>> {
  const waiting = rows.filter(({ kind, status }) => kind === 'write' && status === 'pending').map(({ id }) => id);
  if (!isAdmin(caller) || waiting.length === 0) return new Map();
  const excerpts = await vault.genuine(await read((tx) => excerptsOf(tx, caller.workspaceId, waiting)));
  return new Map(excerpts.map(({ id, content }) => [id, shapeOf(content)] as const));
}

export type HeldShape = ReturnType<typeof shapeOf>;

function shapeOf(content: string) {
  const { metadata_keys: keys, ...held } = stored.parse(JSON.parse(content));
  return { ...held, metadata_keys: keys.slice(0, limits.summaryMetadataKeys), metadata_key_count: keys.length };
}
