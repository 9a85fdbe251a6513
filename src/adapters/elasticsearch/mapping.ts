import type { estypes } from '@elastic/elasticsearch';
import { bm25 } from '../../domain/rank/rank.js';
import type { ElasticsearchSetting } from '../../settings/engines.js';

/**
 * The version of the documents, a part of the names of indices. It must be raised with each change of the mapping or of what
 * documents hold, words included. Then the index of the new version is built beside the old one.
 */
export const documentVersion = 4;

/** How long the cluster remembers the versions of deleted documents. A request that arrives later than this could revive one. */
const rememberDeleted = '7d';

/** The alias under which searches find the index that serves. */
export const aliasOf = (prefix: string): string => `${prefix}-memories`;

/** The name of an index without its number. */
export const indexNames = (prefix: string): string => `${aliasOf(prefix)}-${documentVersion}-`;

/** Whether an index with this name belongs to a service with this prefix. */
export const isIndexOf = (prefix: string, name: string): boolean =>
  name.startsWith(aliasOf(prefix)) && /^-\d+-\d+$/.test(name.slice(aliasOf(prefix).length));

/** The alias under which documents are written to an index. A request for an alias never makes an index. */
export const writeAliasOf = (index: string): string => `${index}-write`;

/**
 * The fields of a document. Nothing else is mapped, metadata least of all.
 *
 * `words` holds the terms of the whole memory, separated by spaces: hashes of the normal forms that the database has computed in
 * the language of the namespace. So words match in Elasticsearch if and only if they match in the database, on every cluster and
 * in every language, the cluster needs no analyzers of languages, and its files hold no readable text. Only chunk 0 has words;
 * each chunk has its vector. An index holds vectors of one model.
 *
 * `vector` holds the levels of the code of a chunk, −7 to 7, which the index of the database has too. So both indexes rank by the
 * same numbers. As bytes they take a quarter of the space, and nothing is rounded. There is no graph of vectors: all vectors of a
 * namespace are compared. Of 5,000 memories of which 500 had one of five texts, a graph lost some of the nearest, because equal
 * vectors are connected with each other only. Of 30,000 different ones it lost none, and was not faster (p50 185 ms with a
 * graph, 138 without, on a machine with ten times as much work as cores), but took 98 s to fill, and 29 without it.
 */
const properties: Record<keyof SearchFields, estypes.MappingProperty> = {
  workspace: { type: 'keyword' },
  namespace: { type: 'keyword' },
  memory: { type: 'keyword' },
  agent: { type: 'keyword' },
  source: { type: 'keyword', ignore_above: 8191 },
  time: { type: 'date', format: 'epoch_millis' },
  seq: { type: 'long' },
  chunk: { type: 'integer' },
  words: { type: 'text', analyzer: 'whitespace', index_options: 'freqs', similarity: 'words' },
  // The cluster takes the number of dimensions from the first vector. The default of `index_options` differs between versions.
  vector: {
    type: 'dense_vector',
    element_type: 'byte',
    index: true,
    similarity: 'cosine',
    index_options: { type: 'flat' },
  },
};

/** A document of the index. Its id is `<memory>:<chunk>`. */
export interface SearchFields {
  readonly workspace: string;
  readonly namespace: string;
  readonly memory: string;
  readonly agent?: string;
  readonly source?: string;
  /** When the memory was written, in milliseconds since 1970. */
  readonly time: number;
  /** The number of the entry that wrote the memory. */
  readonly seq: number;
  readonly chunk: number;
  readonly words?: string;
  readonly vector?: readonly number[];
}

/** The properties for which an index is made. They never change. */
export interface IndexKind {
  readonly name: string;
  readonly version: number;
  /** The model of its vectors, as the embedder names it. */
  readonly model: string;
  /** The id of the store that it belongs to. */
  readonly store: string;
}

export function indexBody(
  { shards, replicas }: Pick<ElasticsearchSetting, 'shards' | 'replicas'>,
  { name, version, model, store }: IndexKind,
  isOneNode: boolean,
): estypes.IndicesCreateRequest {
  return {
    index: name,
    aliases: { [writeAliasOf(name)]: {} },
    settings: {
      number_of_shards: shards,
      number_of_replicas: replicas ?? (isOneNode ? 0 : 1),
      // A refresh happens when a writer asks for it, and otherwise each second for readers.
      refresh_interval: '1s',
      gc_deletes: rememberDeleted,
      'merge.policy.expunge_deletes_allowed': 0,
      // As the service ranks (see src/domain/rank/rank.ts), so that both find the same memories.
      similarity: { words: { type: 'BM25', ...bm25 } },
    },
    mappings: {
      dynamic: false,
      _source: { excludes: ['words', 'vector'] },
      _meta: { version, model, store },
      properties,
    },
  };
}
