import { canonical } from '../../src/verifier/canonical.js';
import { gather, into, type Projection } from '../projection.js';

/** The days that have closed, with what their entries state. */
export const closesProjection: Projection = {
  name: 'closes',
  version: 2,
  tables: ['closes'],
  reveals: {},
  ddl: `
    create table closes (
      day text collate "C" primary key,
      receipt_id text collate "C" not null,
      recorded_ms bigint not null,
      levels text not null,
      receipts bigint not null,
      root text collate "C" not null,
      facts_hash text collate "C" not null
    );
  `,
  fold: gather(
    {
      'index.closed': ({ entry }) => {
        const { day, levels, receipts, root, facts_hash } = entry.body;
        const recorded_ms = Date.parse(entry.recorded_at);
        return [
          { day, receipt_id: entry.receipt_id, recorded_ms, levels: canonical(levels), receipts, root, facts_hash },
        ];
      },
    },
    into('closes'),
  ),
};
