import { projections } from '../../projections/all.js';
import type { Projection } from '../../projections/projection.js';
import { searchProjection } from '../../projections/search/projection.js';
import type { Database } from '../adapters/database/database.js';
import type { Embedder } from '../adapters/embeddings/embedder.js';
import { type Aside, buildAside, type OnProgress } from './aside.js';
import { buildSearchAside, takeOutUnfinished } from './search-aside.js';
import { unlogged } from './side-schema.js';

/** A read model and how it is built a second time. */
export interface Rebuildable {
  readonly name: string;
  readonly version: number;
  readonly tables: readonly string[];
  /** Whether it is made of the memories whose jobs are done, and not of entries alone. */
  readonly fromJobs: boolean;
  /** How entries lead to it, when they alone do. */
  readonly projection: Projection | null;
  /** Those of `tables` whose rows must be the same in every build. */
  comparable(database: Database): Promise<readonly string[]>;
  build(database: Database, schema: string, onProgress: OnProgress): Promise<Aside>;
  /** Builds at least the tables that are comparable. */
  buildComparable(database: Database, schema: string, onProgress: OnProgress): Promise<Aside>;
}

/** A read model that is a function of the ledger's entries. */
export function fromLedger(projection: Projection): Rebuildable {
  const { name, version, tables } = projection;
  const buildOf =
    (ddl: string): Rebuildable['build'] =>
    (database, schema, onProgress) =>
      buildAside(database, { ...projection, ddl }, schema, onProgress);
  return {
    ...{ name, version, tables, projection, fromJobs: false },
    comparable: async () => tables,
    build: buildOf(projection.ddl),
    buildComparable: buildOf(unlogged(projection.ddl)),
  };
}

/** Several read models built at once, to be compared: the ledger is read and parsed once and not for each of them. */
export function buildTogether(
  database: Database,
  models: readonly Projection[],
  schema: string,
  onProgress: OnProgress,
): Promise<Aside> {
  const all: Projection = {
    ...{ name: 'all', version: 0 },
    tables: models.flatMap(({ tables }) => tables),
    ddl: unlogged(models.map(({ ddl }) => ddl).join('')),
    // As entries are applied when they are appended.
    apply: async (tx, recorded) => void (await Promise.all(models.map((model) => model.apply(tx, recorded)))),
  };
  return buildAside(database, all, schema, onProgress);
}

/** The search index, which is a function of the memories that are ready and of an embedder. */
export function searchIndex(embedder: Embedder): Rebuildable {
  const { name, version, tables } = searchProjection;
  const words = ['search_namespaces', 'search_texts', 'search_postings'];
  return {
    ...{ name, version, tables },
    fromJobs: true,
    projection: null,
    async comparable(database) {
      const [other] = await database.transaction((tx) =>
        tx.query("select 1 from search_documents where model <> $1 and model <> '' limit 1", [embedder.model]),
      );
      // Vectors of a model elsewhere need not come out the same twice, and while memories are embedded again they differ.
      return embedder.repeatable && !other ? tables : words;
    },
    build: (database, schema, onProgress) =>
      buildSearchAside(database, embedder, { schema, ddl: searchProjection.ddl }, onProgress),
    // Vectors that are not compared need not be asked for, which may cost money.
    buildComparable: (database, schema, onProgress) =>
      buildSearchAside(
        database,
        embedder.repeatable ? embedder : withoutVectors,
        { schema, ddl: unlogged(searchProjection.ddl) },
        onProgress,
        takeOutUnfinished,
      ),
  };
}

/** Every text gets the same vector: for building the words alone. */
const withoutVectors: Embedder = {
  model: 'none',
  repeatable: true,
  floor: 1,
  documents: async (texts) => texts.map(() => Float32Array.of(1)),
  query: async () => Float32Array.of(1),
};

/** Every read model. */
export function rebuildables(embedder: Embedder): readonly Rebuildable[] {
  return projections.map((projection) =>
    projection === searchProjection ? searchIndex(embedder) : fromLedger(projection),
  );
}
