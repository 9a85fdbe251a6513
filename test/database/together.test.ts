import { describe, expect, it } from 'vitest';
import type { Row, Transaction, Value } from '../../src/database/database.js';
import { sendTogether } from '../../src/database/together.js';

/** A transaction that notes what is sent, and fails where a statement has this text in it. */
function noting(failing = 'nothing') {
  const sent: { sql: string; params: readonly Value[] | undefined }[] = [];
  const query: Transaction['query'] = async <R extends Row>(sql: string, params?: readonly Value[]) => {
    sent.push({ sql, params });
    if (sql.includes(failing)) throw new Error('it fails');
    const none: R[] = [];
    return none;
  };
  return { sent, tx: sendTogether(query) };
}

const texts = (sent: readonly { sql: string }[]) => sent.map(({ sql }) => sql);

describe('statements that are sent together', () => {
  it('are one statement, whose parameters have new numbers', async () => {
    const { sent, tx } = noting();
    await Promise.all([tx.write('insert into a select $1', ['x']), tx.write('insert into b select $2, $1', [1, 2])]);
    await Promise.all([tx.write('insert into a select $1', ['y']), tx.write('insert into b select $2, $1', [3, 4])]);
    const sql = 'with w0 as (insert into a select $1), w1 as (insert into b select $3, $2) select';
    expect(sent).toEqual([
      { sql, params: ['x', 1, 2] },
      { sql, params: ['y', 3, 4] },
    ]);
  });

  it('are sent as they are when there is only one', async () => {
    const { sent, tx } = noting();
    await tx.write('insert into a select $1', ['x']);
    expect(sent).toEqual([{ sql: 'insert into a select $1', params: ['x'] }]);
  });

  it('wait for what the running code does next, but not for an answer', async () => {
    const { sent, tx } = noting();
    const later = async (table: string) => {
      for (let n = 0; n < 5; n += 1) await Promise.resolve();
      await tx.write(`insert into ${table} select`, []);
    };
    await Promise.all([tx.write('insert into a select', []), later('b')]);
    expect(texts(sent)).toEqual(['with w0 as (insert into a select), w1 as (insert into b select) select']);
  });

  it('are one statement for those that read, and another for those that write, in their order', async () => {
    const { sent, tx } = noting();
    const found = await Promise.all([
      tx.select('select $1::text', ['x']),
      tx.select('select $1::int where $2', [1, false]),
      tx.write('insert into a select', []),
      tx.select('select 3', []),
    ]);
    expect(found).toEqual([[], [], undefined, []]);
    const sql =
      'select (select json_agg(r) from (select $1::text) r)::text as r0, (select json_agg(r) from (select $2::int where $3) r)::text as r1';
    expect(sent).toEqual([
      { sql, params: ['x', 1, false] },
      { sql: 'insert into a select', params: [] },
      { sql: 'select 3', params: [] },
    ]);
  });

  it('come before a later query, and behind an earlier one', async () => {
    const { sent, tx } = noting();
    await Promise.all([
      tx.query('select 1'),
      tx.write('insert into a select', []),
      tx.query('select 2'),
      tx.write('insert into b select', []),
    ]);
    expect(texts(sent)).toEqual(['select 1', 'insert into a select', 'select 2', 'insert into b select']);
  });

  it('are apart when they may change the same rows, or are long', async () => {
    const { sent, tx } = noting();
    const long = 'x'.repeat(400 * 1024);
    await Promise.all([tx.write('insert into a select $1', ['1']), tx.write('insert into a select $1', ['2'])]);
    expect(sent.map(({ params }) => params)).toEqual([['1'], ['2']]);
    await Promise.all([tx.write('insert into b select $1', [long]), tx.write('insert into c select $1', [long])]);
    expect(texts(sent.slice(2))).toEqual(['insert into b select $1', 'insert into c select $1']);
    await Promise.all([tx.write('insert into d select $1', [[long]]), tx.write('insert into e select $1', [[long]])]);
    expect(texts(sent.slice(4))).toEqual(['insert into d select $1', 'insert into e select $1']);
  });

  it('fail together, and what is sent after them is sent', async () => {
    const { sent, tx } = noting('into b');
    const results = await Promise.allSettled([
      tx.write('insert into a select', []),
      tx.write('insert into b select', []),
      tx.query('select 1'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(sent).toHaveLength(2);
  });
});
