import { insertRows, type Projection } from '../projection.js';

/** The namespaces of every workspace, with the text configuration their words are stemmed by. */
export const namespaceProjection: Projection = {
  name: 'namespace',
  version: 1,
  tables: ['namespaces'],
  ddl: `
    create table namespaces (
      id uuid primary key,
      workspace_id uuid not null,
      name text collate "C" not null,
      is_default boolean not null,
      text_config text collate "C" not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (workspace_id, name)
    );
  `,
  async apply(tx, recorded) {
    const rows = recorded.flatMap(({ entry }) =>
      entry.kind === 'namespace.created'
        ? {
            id: entry.body.namespace_id,
            workspace_id: entry.workspace_id,
            name: entry.body.name,
            is_default: entry.body.is_default,
            text_config: entry.body.text_config,
            created_at: entry.recorded_at,
            updated_at: entry.recorded_at,
          }
        : [],
    );
    await insertRows(tx, 'namespaces', rows);
  },
};
