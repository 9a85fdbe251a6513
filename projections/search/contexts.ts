import type { Row, Transaction, Value } from '../../src/database/database.js';
import { reach } from '../../src/domain/rank/context.js';
import { memoryRows } from '../memory/rows.js';
import { whoHash } from './facts.js';
import type { Filter } from './passing.js';
import type { Place } from './place.js';

/** A memory that may be returned, with the facts that the ranking needs. */
export interface RankedMemory extends Place {
  readonly memoryId: string;
  /** The number of its words and wholes. */
  readonly length: number;
  readonly asks: boolean;
  readonly saysWhen: boolean;
  readonly who: string | null;
}

/** A memory between those that were written around it in its source, or in its run if it has no source: in that order. */
export interface Segment {
  readonly memories: readonly RankedMemory[];
  /** Where the memory itself stands among them. */
  readonly at: number;
}

/**
 * How far around a memory that lends its words to others: those it may lend to stand up to six places behind it or three before
 * it, and each has six before it and three behind it that lend to it too.
 */
const wide = reach.before + reach.after;

interface SegmentRow extends Row {
  namespaceId: string;
  own: string;
  /** The facts of memories with semicolons between; empty without one. */
  before: string;
  after: string;
}

/**
 * The memories around each of these that pass the filter and can be found. A memory that does not pass has no place between them.
 * @param lending of how many, from the first, those around are candidates themselves
 */
export async function segmentsOf(
  tx: Transaction,
  ids: readonly string[],
  lending: number,
  filter: Filter,
): Promise<Segment[]> {
  if (ids.length === 0) return [];
  const params: Value[] = [ids, lending];
  const condition = filter((value) => `$${params.push(value)}`);
  // Short texts: values of JSON took a third of the time of this statement, and the client takes an array apart slowly.
  const fact = `concat_ws(',', m.id, m.seq, d.length, d.asks::int, d.says_when::int, d.who)`;
  const list = (same: string, side: '<' | '>') => `select ${fact} from ${memoryRows} m
         join search_documents d on d.memory_id = m.id and d.model <> ''
        where m.namespace_id = c.namespace_id and ${same} and m.seq ${side} c.seq and (${condition})
        order by m.seq ${side === '<' ? 'desc' : ''} limit case when c.place <= $2 then ${wide} else ${side === '<' ? reach.before : reach.after} end`;
  // The condition on the hash uses the index. The condition on the text is needed because two sources may have one hash.
  const sameSource =
    'm.source is not null and hashtextextended(m.source, 0) = hashtextextended(c.source, 0) and m.source = c.source';
  const text = (condition: string, side: '<' | '>') => `array_to_string(array(${list(condition, side)}), ';')`;
  const around = (side: '<' | '>') => `case when c.source is not null then ${text(sameSource, side)}
      when c.run_id is not null then ${text('m.run_id = c.run_id and m.source is null', side)} else '' end`;
  const rows = await tx.query<SegmentRow>(
    `select c.namespace_id as "namespaceId", c.own, ${around('<')} as before, ${around('>')} as after
       from (select g.place, m.namespace_id, m.seq, m.source, m.run_id, ${fact} as own
               from unnest($1::uuid[]) with ordinality g(id, place)
               join ${memoryRows} m on m.id = g.id join search_documents d on d.memory_id = m.id) c
      order by c.place`,
    params,
  );
  const known = new Map<string, RankedMemory>();
  return rows.map(({ namespaceId, own, before, after }) => {
    const earlier = listed(before).reverse();
    const facts = [...earlier, own, ...listed(after)];
    return { memories: facts.map((fact) => readFact(known, namespaceId, fact)), at: earlier.length };
  });
}

const listed = (facts: string): string[] => (facts === '' ? [] : facts.split(';'));

function readFact(known: Map<string, RankedMemory>, namespaceId: string, fact: string): RankedMemory {
  const read = known.get(fact);
  if (read) return read;
  const [memoryId = '', seq, length, asks, saysWhen, who = null] = fact.split(',');
  const memory = {
    memoryId,
    namespaceId,
    seq: Number(seq),
    length: Number(length),
    asks: asks === '1',
    saysWhen: saysWhen === '1',
    who,
  };
  known.set(fact, memory);
  return memory;
}

/** Those of these names that two or more memories of a namespace have that pass the filter, as `RankedMemory.who` has them. */
export async function namesIn(
  tx: Transaction,
  namespaceIds: readonly string[],
  names: readonly string[],
  filter: Filter,
): Promise<{ readonly namespaceId: string; readonly who: string; readonly name: string }[]> {
  if (names.length === 0) return [];
  const params: Value[] = [namespaceIds, names];
  const condition = filter((value) => `$${params.push(value)}`);
  return tx.query(
    `select n.id::text as "namespaceId", w.who::text, g.name from unnest($1::uuid[]) n(id) cross join unnest($2::text[]) g(name)
      cross join lateral (select ${whoHash('g.name', 'n.id')} as who) w
      where 2 = (select count(*) from (
        select 1 from search_documents d join ${memoryRows} m on m.id = d.memory_id
         where d.namespace_id = n.id and d.who = w.who and d.model <> '' and (${condition}) limit 2) two)`,
    params,
  );
}
