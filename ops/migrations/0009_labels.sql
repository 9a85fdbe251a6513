-- What an import was called where it came from: the name of a file, or a URL.
alter table vault add column label text;
