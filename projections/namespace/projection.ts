import { each, insertRows, type Projection } from '../projection.js';

/**
 * The namespaces of every workspace, with the text configuration their words are stemmed by. A deleted one stays, so that
 * a request for it can be answered with that; its name is free again.
 */
export const namespaceProjection: Projection = {
  name: 'namespace',
  version: 3,
  tables: ['namespaces'],
  reveals: {},
  ddl: `
    create table namespaces (
      id uuid primary key,
      workspace_id uuid not null,
      name text collate "C" not null,
      is_default boolean not null,
      text_config text collate "C" not null,
      by_scope boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz
    );
    create unique index on namespaces (workspace_id, name) where deleted_at is null;
  `,
  // One after the other, because a batch may rename one namespace and give its name to another one.
  fold: each({
    'namespace.created': (tx, { entry }) => {
      const { namespace_id: id, name, is_default, text_config, receipts } = entry.body;
      const times = { created_at: entry.recorded_at, updated_at: entry.recorded_at, deleted_at: null };
      return insertRows(tx, 'namespaces', [
        {
          id,
          workspace_id: entry.workspace_id,
          name,
          is_default,
          text_config,
          by_scope: receipts === 'by scope',
          ...times,
        },
      ]);
    },
    'namespace.renamed': (tx, { entry }) =>
      tx.query('update namespaces set name = $2, updated_at = $3 where id = $1', [
        entry.body.namespace_id,
        entry.body.name,
        entry.recorded_at,
      ]),
    'namespace.deleted': (tx, { entry }) =>
      tx.query('update namespaces set deleted_at = $2, updated_at = $2 where id = $1', [
        entry.body.namespace_id,
        entry.recorded_at,
      ]),
  }),
};
