import pg from 'pg';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { loggedError } from '../../src/adapters/logged-error.js';

function lineOf(error: unknown): { err: Record<string, unknown>; text: string } {
  const lines: string[] = [];
  pino({ serializers: { err: loggedError } }, { write: (line) => void lines.push(line) }).error(
    { err: error },
    'failed',
  );
  const [text = ''] = lines;
  return { err: JSON.parse(text).err, text };
}

it('the log has the sentence of an error, and not the connection that pg attaches to it', () => {
  const client = new pg.Client({ host: 'db.example.org', database: 'counterfoil', password: 'p4ssword' });
  const error = Object.assign(new Error('Connection terminated unexpectedly'), { client, code: 'ECONNRESET' });
  const { err, text } = lineOf(new Error('the database does not answer', { cause: error }));
  expect(err).toMatchObject({ type: 'Error' });
  expect(err.message).toBe('the database does not answer: Connection terminated unexpectedly');
  for (const given of [text, lineOf(error).text]) {
    expect(given).not.toMatch(/p4ssword|connectionParameters|_events/);
    expect(given.length).toBeLessThan(6000);
  }
  expect(lineOf(error).err.code).toBe('ECONNRESET');
});

it('the log has no request of Elasticsearch, whose body holds texts of callers', () => {
  const meta = { meta: { request: { params: { body: 'a secret query' } } }, body: { error: 'a secret query' } };
  const one = Object.assign(new Error('index_not_found_exception'), meta);
  expect(lineOf(one).text).not.toContain('a secret query');
  const both = lineOf(new AggregateError([one, new Error('second')], 'both failed'));
  expect(both.text).not.toContain('a secret query');
  expect(both.err.aggregateErrors).toMatchObject([{ message: 'index_not_found_exception' }, { message: 'second' }]);
});

it('what is thrown and no error is logged as its text', () => {
  expect(lineOf('a text').err).toBe('a text');
});
