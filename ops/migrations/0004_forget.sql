-- Statistics keep the most common values of a column, also of rows that are gone. So none are gathered of what reveals.
alter table vault alter column salt set statistics 0;
alter table vault alter column content set statistics 0;
alter table vault alter column metadata set statistics 0;
alter table vault alter column source set statistics 0;
-- Of an earlier search read model; the tables it shares with the present one are replaced when that is rebuilt.
drop table if exists search_terms;
-- Receipts whose deposits were destroyed but whose bytes may still lie in files, until the tables were written anew.
create table erased (
  receipt_id text collate "C" primary key
);
-- The failed jobs of a workspace, without reading those that are done.
create index jobs_failed on jobs (job_id) where stage = 'failed';
-- An append looks for its command ids behind the head it expected, so it needs no index of them.
drop index entries_command_id_idx;
