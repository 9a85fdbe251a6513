import { gather, into, type Projection } from '../projection.js';

/** The receipts that were counted in feedback on a chain: for each workspace, agent and epoch the positions between which they are. */
export const feedbackProjection: Projection = {
  name: 'feedback',
  version: 1,
  tables: ['feedback_emissions'],
  reveals: {},
  ddl: `
    create table feedback_emissions (
      workspace_id uuid not null,
      agn_id text collate "C" not null,
      epoch text collate "C" not null,
      from_seq bigint not null,
      to_seq bigint not null,
      emitted_at timestamptz not null,
      primary key (workspace_id, agn_id, epoch)
    );
  `,
  indexes: 'create index on feedback_emissions (workspace_id, agn_id, to_seq);',
  fold: gather(
    {
      'erc8004.emitted': ({ entry }) => {
        const { workspace_id, recorded_at: emitted_at } = entry;
        const { agn_id, epoch, from_seq, to_seq } = entry.body;
        return [{ workspace_id, agn_id, epoch, from_seq, to_seq, emitted_at }];
      },
    },
    into('feedback_emissions'),
  ),
};
