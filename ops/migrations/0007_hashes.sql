-- Whoever has a receipt's hash may ask for it.
create index entries_hash on entries using hash (hash);
