-- The embedded database wipes what deleted rows leave in a page when it writes that page. What earlier versions left there
-- goes when the tables are written anew once more, by the first start of this version; one row asks for it where there is anything to forget.
alter table erased add column everywhere boolean not null default false;
insert into erased select 'before pages were wiped', true where exists (select 1 from entries);
-- Its entries were never let go of, also those of memories that are gone. Lists by words read the lists of the search instead.
drop index if exists search_texts_words_idx;
