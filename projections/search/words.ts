import type { Transaction } from '../../src/database/database.js';
import type { IndexedPart } from '../../src/domain/tokens/indexed.js';
import { memoryRows } from '../memory/rows.js';

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

/** A part of a document, and the text search configuration of its namespace. */
interface Part {
  readonly memoryId: string;
  readonly part: number;
  readonly textConfig: string;
  readonly tokens: IndexedPart;
}

/** Stores the words of a part. One that is stored already is not replaced, because postings may have been written for it. */
export async function insertWords(tx: Transaction, { memoryId, part, textConfig, tokens }: Part): Promise<void> {
  await tx.query(
    `with dictionaries as materialized (${dictionariesOf('select $3::text as config')}),
     lexemes as (
       select ${lexemeOf('t.text', 't.kind', 'd')} as lexeme, t.positions
         from unnest($4::text[], $5::integer[], $6::text[]) t(text, kind, positions) cross join dictionaries d)
     insert into search_texts (memory_id, part, words)
     select m.id, $2::integer, coalesce((select string_agg('''' || lexeme || ''':' || positions, ' ') from lexemes
                                          where lexeme is not null), '')::tsvector
       from ${memoryRows} m where m.id = $1 on conflict do nothing`,
    [memoryId, part, textConfig, tokens.texts, tokens.kinds, tokens.positions],
  );
}
