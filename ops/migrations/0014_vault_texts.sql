-- The texts of entries that are no memories, by their names: a JSON object of texts. Stored as text because commitments are
-- opened with the very text of each member.
alter table vault add column others text;
