import { catalogue } from '../../contracts/entries/catalogue.js';
import type { Transaction } from '../../src/database/database.js';
import { isAction, monthOf } from '../../src/domain/plan.js';
import type { Projection } from '../projection.js';

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
  async apply(tx, recorded) {
    const months = new Map<string, { workspaceId: string; month: string; actions: number; memories: number }>();
    for (const { entry } of recorded) {
      if (!isAction(entry)) continue;
      const month = monthOf(entry.recorded_at);
      const key = `${entry.workspace_id} ${month}`;
      const row = months.get(key) ?? { workspaceId: entry.workspace_id, month, actions: 0, memories: 0 };
      months.set(key, { ...row, actions: row.actions + 1, memories: row.memories + catalogue[entry.kind].memories });
    }
    if (months.size > 0) await addMonths(tx, [...months.values()]);
  },
};

type Month = { workspaceId: string; month: string; actions: number; memories: number };

async function addMonths(tx: Transaction, months: readonly Month[]): Promise<void> {
  await tx.query(
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
