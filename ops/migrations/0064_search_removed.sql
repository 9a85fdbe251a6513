-- The blocks of the search index from which documents were removed last, so that searches read only these again. A process of an earlier
-- version, which knows nothing of the column, changes `rewritten` without it: then searches read the whole index again, as before.
alter table search_reach add column removed bigint[] not null default '{}';
