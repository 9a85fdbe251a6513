import { projections } from '../../projections/all.js';
import { atOnce, type Projection } from '../../projections/projection.js';
import { checkSearchIndex } from '../../projections/search/check/check.js';
import { searchProjection } from '../../projections/search/projection.js';
import { beginRebuild } from '../../projections/search/rebuild-progress.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import type { OnFault } from '../base/faults.js';
import type { Database, Transaction } from '../database/database.js';
import type { Prepare } from '../domain/prepared.js';
import type { LeftOut } from '../ledger/check/unusable.js';
import { createEmbedding, type EmbeddingLog } from '../workers/embedding.js';
import { prepareInSlices } from '../workers/indexing.js';
import { compareTables, comparing } from './compare.js';
import { buildCopy, type OnProgress, type RebuiltCopy } from './rebuilt-copy.js';
import { buildSearchCopy } from './search-copy.js';
import { unlogged } from './shadow-schema.js';

/** A read model with the functions that rebuild and check it. */
export interface Rebuildable {
  readonly name: string;
  readonly version: number;
  readonly tables: readonly string[];
  /** Whether it is built from the memories whose jobs are done, and not from entries only. */
  readonly fromJobs: boolean;
  /** The projection that builds it, if it is built from entries only. */
  readonly projection: Projection | null;
  /**
   * For a read model whose rebuild takes long: notes, in the transaction that has emptied its tables, what the service must add to
   * them while it answers. Null if a start must build it before it answers.
   * @returns the number of things that must be added
   */
  readonly fillLater: ((tx: Transaction) => Promise<number>) | null;
  readonly ddl: string;
  build(database: Database, schema: string, onProgress: OnProgress): Promise<RebuiltCopy>;
  /** Compares the stored rows with those that follow from the ledger, and reports each different one by table and key. */
  check(database: Database, found: OnFault, onProgress?: OnProgress): Promise<void>;
}

/** A read model that is a function of the ledger's entries. */
export function fromLedger(projection: Projection): Rebuildable {
  const { name, version, tables } = projection;
  return {
    name,
    version,
    tables,
    ddl: `${projection.ddl}${projection.indexes ?? ''}`,
    projection,
    fromJobs: false,
    fillLater: null,
    build: (database, schema, onProgress) => buildCopy(database, projection, schema, onProgress),
    check: (database, found, onProgress = () => undefined) =>
      comparing(buildTogether(database, [projection], { schema: `check_${name}`, leftOut: null }, onProgress), (copy) =>
        compareTables(copy, tables, found),
      ),
  };
}

/**
 * Builds copies of several read models for a comparison, so that the ledger is read and parsed only once for all of them.
 * @param leftOut what the replay leaves out; see `buildCopy`
 */
export function buildTogether(
  database: Database,
  models: readonly Projection[],
  { schema, leftOut }: { readonly schema: string; readonly leftOut: LeftOut | null },
  onProgress: OnProgress,
): Promise<RebuiltCopy> {
  const all = {
    ddl: unlogged(models.map(({ ddl }) => ddl).join('')),
    // An append applies its entries to the read models in the same way.
    fold: atOnce(models.map(({ fold }) => fold)),
  };
  return buildCopy(database, all, schema, onProgress, leftOut);
}

/** The search index, which is a function of the memories that are ready and of an embedder. */
export function searchIndex(
  embedder: Embedder,
  prepare: Prepare = prepareInSlices(),
  log: EmbeddingLog = silent,
): Rebuildable {
  const { name, version, tables, ddl } = searchProjection;
  return {
    name,
    version,
    tables,
    ddl,
    fromJobs: true,
    projection: null,
    fillLater: beginRebuild,
    build: (database, schema, onProgress) =>
      buildSearchCopy(database, createEmbedding(embedder, log), { schema, ddl }, onProgress),
    check: (database, found, onProgress = () => undefined) =>
      checkSearchIndex({ database, embedder, prepare, found }, onProgress),
  };
}

const silent: EmbeddingLog = { info: () => undefined, warn: () => undefined };

/** Every read model. */
export function rebuildables(embedder: Embedder, prepare?: Prepare, log?: EmbeddingLog): readonly Rebuildable[] {
  return projections.map((projection) =>
    projection === searchProjection ? searchIndex(embedder, prepare, log) : fromLedger(projection),
  );
}
