import { forKinds } from '../../contracts/entries/by-kind.js';
import { catalogue, type EntryKind } from '../../contracts/entries/catalogue.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { monthOf } from '../../src/domain/plan.js';
import { type Projection, together } from '../projection.js';

/** The use of each workspace in each month of UTC: its actions, and the change of the number of its memories. */
export const meterProjection: Projection = {
  name: 'meter',
  version: 1,
  tables: ['meter'],
  reveals: {},
  ddl: `
    create table meter (
      workspace_id uuid not null,
      month text collate "C" not null,
      actions bigint not null,
      memories bigint not null,
      primary key (workspace_id, month)
    );
  `,
  fold: together({
    begin: () => new Map<string, Month>(),
    on: forKinds(({ action }) => action, addAction),
    write: (tx, months) => addMonths(tx, [...months.values()]),
  }),
};

type Month = { workspaceId: string; month: string; actions: number; memories: number };

function addAction(months: Map<string, Month>, { entry }: RecordedOf<EntryKind>): void {
  const month = monthOf(entry.recorded_at);
  const key = `${entry.workspace_id} ${month}`;
  const row = months.get(key) ?? { workspaceId: entry.workspace_id, month, actions: 0, memories: 0 };
  months.set(key, { ...row, actions: row.actions + 1, memories: row.memories + catalogue[entry.kind].memories });
}

async function addMonths(tx: Transaction, months: readonly Month[]): Promise<void> {
  await tx.write(
    `insert into meter as m select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[])
     on conflict (workspace_id, month) do update
        set actions = m.actions + excluded.actions, memories = m.memories + excluded.memories`,
    [
      months.map(({ workspaceId }) => workspaceId),
      months.map(({ month }) => month),
      months.map(({ actions }) => actions),
      months.map(({ memories }) => memories),
    ],
  );
}
