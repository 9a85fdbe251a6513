import type { EntryKind } from '../../contracts/entries/entry.js';
import type { Transaction } from '../database/database.js';

/** The table from which a row is deleted with each erasure. */
export const tableOfErasures = 'vault';

/** The kinds whose deposits read models show, with the member of the body that identifies what they show. */
const subjects = {
  'memory.write': 'memory_id',
  'webhook.created': 'webhook_id',
  'member.added': 'member_id',
  'member.password_changed': 'member_id',
} as const satisfies Partial<Record<EntryKind, string>>;

/** The advisory lock between erasures and those who copy texts. The number has no other meaning. */
const erasureLock = 4_201_703;

const trigger = 'erased_meanwhile';

/**
 * Makes the database run statements inside every transaction that erases texts, also of processes that know nothing of
 * the tables which they change.
 * @param schemas the schemas that unqualified names are looked for in; the first one gets the function
 * @param run statements about `any(erased_subjects)`, the ids of memories, webhooks and members
 */
export async function onErasure(
  tx: Transaction,
  schemas: readonly [string, ...string[]],
  run: readonly string[],
): Promise<void> {
  const ids = [...new Set(Object.values(subjects))].map((member) => `entry -> 'body' ->> '${member}'`);
  const kinds = Object.keys(subjects).map((kind) => `'${kind}'`);
  await tx.query(`
    create function ${schemas[0]}.${trigger}() returns trigger language plpgsql set search_path = ${schemas.join(', ')} as $$
    declare
      erased_subjects uuid[];
    begin
      -- Waits for a batch that may hold one of these texts, and sees its rows then.
      perform pg_advisory_xact_lock_shared(${erasureLock});
      select array_agg(coalesce(${ids.join(', ')})::uuid) into erased_subjects
        from erased_rows g join entries e on e.receipt_id = g.receipt_id
             cross join lateral (select convert_from(e.bytes, 'UTF8')::json as entry offset 0) read
       where entry ->> 'kind' in (${kinds.join(', ')});
      if erased_subjects is not null then
        ${run.map((statement) => `${statement};`).join('\n')}
      end if;
      return null;
    end $$`);
  await tx.query(`
    create trigger ${trigger} after delete on ${tableOfErasures} referencing old table as erased_rows
      for each statement execute function ${schemas[0]}.${trigger}()`);
}

/** Keeps erasures waiting until the transaction ends: what it reads of texts from now on is not erased before it commits. */
export async function holdErasures(tx: Transaction): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [erasureLock]);
}
