-- The floor of a model whose vectors are stored, estimated from some of them: a memory that has none of the words of a query and is
-- less similar to it is no hit. `size` is that of the vectors, and `documents` the number of memories in the index at that time.
create table search_floors (
  model text collate "C" primary key,
  size int not null,
  floor double precision not null,
  documents bigint not null
);
