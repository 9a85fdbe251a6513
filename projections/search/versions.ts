import type { Row, Transaction } from '../../src/database/database.js';

/** SQL of the version of a row. A row that was written again, or whose table was rebuilt, has another version. */
export const versionOf = (row: string): string =>
  `${row}.tableoid::text || ' ' || ${row}.xmin::text || ' ' || ${row}.ctid::text`;

interface NamespaceVersion extends Row {
  id: string;
  version: string;
}

/** Every change of the index of a namespace makes a new version of the namespace's row. The result is ordered by id. */
export function namespaceVersions(tx: Transaction, namespaceIds: readonly string[]): Promise<NamespaceVersion[]> {
  return tx.query<NamespaceVersion>(
    `select n.namespace_id::text as id, ${versionOf('n')} as version
       from search_namespaces n where n.namespace_id = any($1::uuid[]) order by 1`,
    [namespaceIds],
  );
}
