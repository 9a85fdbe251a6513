-- The receipt of the last entry that the request has recorded, which the answer names in a header. Null where it has recorded
-- none, and for answers of earlier versions.
alter table answers add column receipt_id text collate "C";
