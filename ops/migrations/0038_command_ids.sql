-- Nothing reads the id of a command: an append that is repeated is found by the hash of its last entry.
-- A column that follows from nothing else can be checked by nobody.
alter table entries drop column command_id;
