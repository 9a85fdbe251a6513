import type { Projection } from '../projection.js';

/**
 * The search read model. Posting lists and vector codes are stored in blocks of bytes, which Node reads and adds up. See
 * blocks.ts for the contents of a block and the reason why there is not one row for each entry.
 *
 * Words and spaces are hashes seeded with the namespace, so postings and codes contain nothing readable. Only `search_texts` has
 * readable words, and its rows are deleted with their memory.
 *
 * Bytes of one memory of 500 bytes with indexes, among 5,000 in PostgreSQL: vectors of 256 dimensions 1,260, texts 780, recent rows 600,
 * which leave with a vacuum, postings 500, documents 200, codes 150 (`npm run bench -- size`). VACUUM FULL of all tables takes 10 s in
 * PGlite with 100,000 memories of 16 words, of which `search_texts` takes 4.
 *
 * The database gathers no statistics about columns with contents of memories. Statistics would keep the most common values
 * after the memories are deleted.
 */
export const tables: readonly string[] = [
  'search_namespaces',
  'search_documents',
  'search_texts',
  'search_postings',
  'search_vectors',
  'search_codes',
  'search_recent',
];

/** Every row is about what a memory says. The keys of postings have some bits of the hashes of its words. */
export const reveals: Projection['reveals'] = {
  search_namespaces: 'rows',
  search_documents: 'rows',
  search_texts: 'rows',
  search_postings: 'rows and indexes',
  search_vectors: 'rows',
  search_codes: 'rows',
  search_recent: 'rows',
};

export const ddl = `
  create table search_namespaces (
    namespace_id uuid primary key,
    documents bigint not null,
    length bigint not null,
    sealed bigint not null
  );
  create table search_documents (
    memory_id uuid primary key,
    namespace_id uuid not null,
    seq bigint not null,
    length integer not null,
    asks boolean not null,
    says_when boolean not null,
    who bigint,
    model text collate "C" not null,
    unique (namespace_id, seq)
  );
  create index on search_documents (model);
  create index on search_documents (namespace_id, who) where who is not null;
  create table search_texts (
    memory_id uuid not null,
    part integer not null,
    words tsvector not null,
    primary key (memory_id, part)
  );
  create table search_postings (
    bucket bigint not null,
    block bigint not null,
    entries bytea not null,
    primary key (bucket, block)
  ) with (toast_tuple_target = 4080);
  create table search_vectors (
    space bigint not null,
    seq bigint not null,
    ordinal integer not null,
    memory_id uuid not null,
    embedding vector not null,
    primary key (space, seq, ordinal)
  );
  create index on search_vectors (memory_id);
  create table search_codes (
    space bigint not null,
    block bigint not null,
    entries bytea not null,
    primary key (space, block)
  );
  create table if not exists search_recent (
    namespace_id uuid not null,
    seq bigint not null,
    postings bytea not null,
    codes bytea not null,
    primary key (namespace_id, seq)
  );
  alter table search_texts alter column words set statistics 0;
  alter table search_vectors alter column embedding set statistics 0;
  alter table search_postings alter column entries set statistics 0;
  alter table search_codes alter column entries set statistics 0;
  alter table search_recent alter column postings set statistics 0;
  alter table search_recent alter column codes set statistics 0;
  alter table search_postings alter column entries set storage external;
  alter table search_codes alter column entries set storage external;
  alter table search_recent alter column postings set storage external;
  alter table search_recent alter column codes set storage external;
`;
