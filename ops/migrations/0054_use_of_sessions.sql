-- When each session was used last, to about a minute, and the family of the browser that it was begun with. Null in sessions of
-- earlier versions, and for clients that are none of the browsers that are known.
alter table sessions add column used_at timestamptz, add column browser text;
