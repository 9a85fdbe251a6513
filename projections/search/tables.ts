/**
 * The search read model. Posting lists and vector codes are kept in blocks of bytes, read and added up in Node; see
 * blocks.ts for what a block holds, and why it is not one row for each entry.
 *
 * Terms and spaces are 64-bit hashes seeded with the namespace, so nothing readable is in postings. Readable words
 * are in `search_texts` alone, whose rows go with their memory. 100,000 memories of 16 words
 * and 256 dimensions, with indexes: texts 42 MB, documents 15, postings 93 (67 after VACUUM FULL), vectors 124, codes 7.
 * VACUUM FULL of all of it takes 10 s in PGlite, of which the texts, the only readable words, 4.
 *
 * No statistics are gathered of columns that reveal what a memory says: they would keep the most common values after the
 * memories are gone.
 */
export const tables: readonly string[] = [
  'search_namespaces',
  'search_documents',
  'search_texts',
  'search_postings',
  'search_vectors',
  'search_codes',
];

export const ddl = `
  create table search_namespaces (
    namespace_id uuid primary key,
    documents bigint not null,
    length bigint not null
  );
  create table search_documents (
    memory_id uuid primary key,
    namespace_id uuid not null,
    seq bigint not null,
    length integer not null,
    model text collate "C" not null,
    unique (namespace_id, seq)
  );
  create index on search_documents (model);
  create table search_texts (
    memory_id uuid not null,
    part integer not null,
    words tsvector not null,
    primary key (memory_id, part)
  );
  create table search_postings (
    term bigint not null,
    block bigint not null,
    entries bytea not null,
    primary key (term, block)
  );
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
  alter table search_texts alter column words set statistics 0;
  alter table search_vectors alter column embedding set statistics 0;
  alter table search_postings alter column entries set statistics 0;
  alter table search_codes alter column entries set statistics 0;
  alter table search_postings alter column entries set storage external;
  alter table search_codes alter column entries set storage external;
`;
