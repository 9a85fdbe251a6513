import { z } from 'zod';
import { handlePattern } from './agents.js';
import { anyReceipt } from './any-receipt.js';
import { catalogue, type EntryKind, isEntryKind } from './entries/catalogue.js';
import { field } from './input.js';
import { moment } from './instant.js';
import { limits } from './limits.js';
import { cursor, nextCursor } from './memory.js';
import { names, namesIncluded } from './names.js';
import { taskStatuses } from './task-receipt.js';
import { filterText, printableId, storableText } from './text.js';

export const receiptList = z
  .object({
    data: z.array(anyReceipt),
    next_cursor: nextCursor,
    names,
    next_after: z
      .int()
      .optional()
      .describe(
        'Only with after: the value of after for the next request. All receipts up to this number were looked at.',
      ),
  })
  .meta({ id: 'ReceiptList' });

const noKind =
  'must be kinds of receipts, comma separated, as /v1/receipts shows them; memory.* means all whose names begin with it';

/** The kinds that a list of kinds names, each once; null if it names one that there is not. `memory.*` names all that begin with `memory.`. */
function kindsIn(text: string): readonly EntryKind[] | null {
  const all = Object.keys(catalogue).filter(isEntryKind);
  const named = text.split(',').map((name) => {
    if (isEntryKind(name)) return [name];
    return /^[a-z0-9_]+\.\*$/.test(name) ? all.filter((kind) => kind.startsWith(name.slice(0, -1))) : [];
  });
  return named.some((kinds) => kinds.length === 0) ? null : [...new Set(named.flat())];
}

const agent = storableText
  .refine((text) => !text.startsWith('@') || handlePattern.test(text), 'must be the id of an agent, or a handle')
  .optional()
  .describe('Only what the agent with this id did; for @ and a name, only task receipts with this handle.');

const status = z.enum(taskStatuses).optional().describe('Only task receipts with this status.');

const trace = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must have 32 lowercase hex digits')
  .optional()
  .describe('Only task receipts of this trace.');

const id = z.guid('must be a UUID').transform((text) => text.toLowerCase());

const after = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)
  .optional()
  .describe(
    'Oldest first: only receipts after the one with this `seq`. Continue with next_after, also after an empty page: then no receipt is missed. ' +
      'It cannot be combined with cursor and until.',
  );

/** A page of all entries of a workspace, each in its canonical form. */
export const receiptExport = z
  .object({
    format: z.literal('counterfoil-entries/1'),
    data: z
      .array(z.looseObject({ v: z.literal(1), seq: z.int(), receipt_id: z.string(), kind: z.string() }))
      .describe('Entries as they were hashed, in the order of `seq` and without gaps.'),
    next_cursor: nextCursor,
  })
  .meta({ id: 'ReceiptExport', description: 'A page of an export of receipts, at most about 8 MiB.' });

export const receiptExportQuery = {
  after: field(
    z
      .string()
      .regex(/^\d{1,15}$/, 'must be a whole number')
      .transform(Number)
      .default(0)
      .describe('Only entries after the one with this `seq`, to continue an earlier export. A cursor takes its place.'),
    'invalid_request',
  ),
  limit: field(
    z
      .string()
      .regex(/^\d{1,9}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.int().min(1).max(limits.exportMax))
      .default(limits.exportDefault),
    'invalid_request',
  ),
  cursor,
} as const;

export const receiptListQuery = {
  kind: field(
    storableText
      .transform((text, context) => {
        const kinds = kindsIn(text);
        if (kinds === null) context.addIssue(noKind);
        return { text, kinds: kinds ?? [] };
      })
      .optional()
      .describe('Only receipts of these kinds, comma separated; `memory.*` means all that begin with `memory.`.'),
    'invalid_request',
  ),
  memory_id: field(
    id
      .optional()
      .describe(
        'Only receipts about this memory: its write, moves, invalidations, reinstatements, promotion and deletion. ' +
          'It may be deleted. Searches that had it are at /v1/memories/{memory_id}/recalls.',
      ),
    'invalid_request',
  ),
  namespace_id: field(
    id.optional().describe('Only receipts that concern this namespace. A person may name a deleted one.'),
    'invalid_request',
  ),
  actor: field(
    printableId.optional().describe('Only what the key, agent key, person or grant with this id did.'),
    'invalid_request',
  ),
  agent: field(agent, 'invalid_request'),
  since: field(moment.optional().describe('Recorded at this time or later.'), 'invalid_request'),
  until: field(moment.optional().describe('Recorded before this time.'), 'invalid_request'),
  receipt_id: field(
    printableId.optional().describe('Only the receipt with this id: that of the service, or else that of the client.'),
    'invalid_request',
  ),
  status: field(status, 'invalid_request'),
  session: field(filterText.optional().describe('Only task receipts of this session.'), 'invalid_request'),
  trace: field(trace, 'invalid_request'),
  after: field(after, 'invalid_request'),
  include: namesIncluded,
  limit: field(
    z
      .string()
      .regex(/^\d{1,9}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.int().min(1).max(limits.listMax))
      .default(limits.listDefault),
    'invalid_request',
  ),
  cursor,
} as const;
