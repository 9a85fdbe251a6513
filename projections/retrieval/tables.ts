/**
 * The search read model. `search_texts` serves the list's `q`, `search_postings` with its statistics serves BM25,
 * `search_vectors` is narrow because an exact scan reads all of it.
 * Lexemes and vectors reveal content, so all of it goes with the memory.
 */
export const tables = [
  'search_texts',
  'search_postings',
  'search_terms',
  'search_namespaces',
  'search_vectors',
] as const;

export const ddl = `
  create table search_texts (
    memory_id uuid primary key,
    namespace_id uuid not null,
    length int not null,
    words tsvector not null
  );
  create index on search_texts using gin (words) with (fastupdate = off);
  create table search_postings (
    namespace_id uuid not null,
    lexeme text collate "C" not null,
    memory_id uuid not null,
    tf smallint not null,
    length int not null,
    primary key (namespace_id, lexeme, memory_id) include (tf, length)
  );
  create table search_terms (
    namespace_id uuid not null,
    lexeme text collate "C" not null,
    documents int not null,
    primary key (namespace_id, lexeme)
  ) with (fillfactor = 70);
  create table search_namespaces (
    namespace_id uuid primary key,
    documents bigint not null,
    total_length bigint not null
  ) with (fillfactor = 50);
  create table search_vectors (
    memory_id uuid not null,
    ordinal int not null,
    namespace_id uuid not null,
    model text collate "C" not null,
    embedding vector not null,
    primary key (memory_id, ordinal)
  );
  create index on search_vectors (namespace_id);
  alter table search_texts alter column words set statistics 0;
  alter table search_postings alter column lexeme set statistics 0;
  alter table search_terms alter column lexeme set statistics 0;
  alter table search_vectors alter column embedding set statistics 0
`;
