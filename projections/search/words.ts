import type { Transaction } from '../../src/database/database.js';
import type { IndexedPart } from '../../src/domain/tokens/indexed.js';

/** A part of a document, and the text search configuration of its namespace. */
export interface PartRow {
  readonly memoryId: string;
  readonly part: number;
  readonly textConfig: string;
  readonly tokens: IndexedPart;
}

/** SQL of the number of words and wholes at these positions of a lexeme. Nothing else adds to the length of a document. */
export const countedOf = (weights: string): string => `cardinality(array_remove(${weights}, 'D'))`;

/**
 * SQL of the lexeme of a token, null for a stop word. No text goes to a parser of the database: only its stemmers are used, each by
 * the first dictionary of its kind.
 * @param dictionary SQL of a row with the dictionaries `ascii` and `other` of the text configuration
 */
export const lexemeOf = (text: string, kind: string, dictionary: string): string =>
  `case ${kind} when 0 then ${text} when 1 then (ts_lexize(${dictionary}.ascii, ${text}))[1]
     when 2 then (ts_lexize(${dictionary}.other, ${text}))[1] when 3 then '≈' || (ts_lexize(${dictionary}.ascii, ${text}))[1]
     else '≈' || (ts_lexize(${dictionary}.other, ${text}))[1] end`;

/** SQL of the dictionaries of the distinct text configurations that the SQL `configs` gives. */
export const dictionariesOf = (configs: string): string =>
  `select c.config, max(m.mapdict) filter (where m.maptokentype = 1)::oid::regdictionary as ascii,
          max(m.mapdict) filter (where m.maptokentype = 2)::oid::regdictionary as other
     from (${configs}) c(config) join pg_ts_config_map m on m.mapcfg = c.config::regconfig and m.mapseqno = 1
    where m.maptokentype in (1, 2) group by 1`;

/** SQL with the parameters of `paramsOf`: the words of each part, as `parts (id, part, words)`. */
export const partsWithWords = wordsOfParts(
  `select * from unnest((select $1::uuid[]), (select $2::integer[]), (select $3::text[]))
     with ordinality g(id, part, config, number)`,
);

/**
 * The same of parts whose tokens are the parameters from the fourth on.
 * @param given SQL of the parts, as `id, part, config, number`
 */
export function wordsOfParts(given: string): string {
  return `
  given as materialized (${given}),
  dictionaries as materialized (${dictionariesOf('select distinct config from given')}),
  parts as materialized (
    select g.id, g.part, coalesce(w.words, '')::tsvector as words from given g left join (
      select number, string_agg('''' || lexeme || ''':' || positions, ' ') as words
        from (select t.number, t.positions, ${lexemeOf('t.text', 't.kind', 'd')} as lexeme
                from unnest((select $4::bigint[]), (select $5::text[]), (select $6::integer[]), (select $7::text[])) t(number, text, kind, positions)
                join given using (number) join dictionaries d using (config)) l
       where lexeme is not null group by 1) w using (number))`;
}

export const paramsOf = (rows: readonly PartRow[]) =>
  [
    rows.map(({ memoryId }) => memoryId),
    rows.map(({ part }) => part),
    rows.map(({ textConfig }) => textConfig),
    ...tokenParams(rows.map(({ tokens }) => tokens)),
  ] as const;

export const tokenParams = (parts: readonly IndexedPart[]) =>
  [
    parts.flatMap(({ texts }, i) => texts.map(() => i + 1)),
    parts.flatMap(({ texts }) => texts),
    parts.flatMap(({ kinds }) => kinds),
    parts.flatMap(({ positions }) => positions),
  ] as const;

/** Stores the words of these parts. A part that is stored already is not replaced, because postings may have been written for it. */
export async function insertWords(tx: Transaction, rows: readonly PartRow[], memories: string): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `with ${partsWithWords} insert into search_texts (memory_id, part, words)
     select p.id, p.part, p.words from parts p join ${memories} m on m.id = p.id on conflict do nothing`,
    [...paramsOf(rows)],
  );
}
