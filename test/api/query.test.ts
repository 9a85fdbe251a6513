import { describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { gathered, readFields } from '../../contracts/input.js';
import { memoryListQuery } from '../../contracts/memory-list.js';
import { receiptListQuery } from '../../contracts/receipt-list.js';
import { refuseMisread } from '../../src/api/query.js';

/** The code and the sentence of the refusal; null for a query that is read. */
function refusal(read: () => unknown): [string, string] | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return [error.code, error.message];
    throw error;
  }
}

const misread = (query: Record<string, unknown>, text = '') =>
  refusal(() => refuseMisread(memoryListQuery, query, text));

describe('the query of a request', () => {
  it.each([
    ['sorce'],
    ['metadata.topic'],
    ['metadata[topic'],
    ['source[a]'],
    ['[a]'],
    ['__proto__'],
  ])('has no parameter %s', (name) => {
    const sentence = `This call does not take the parameter ${JSON.stringify(name)}.`;
    expect(misread(Object.fromEntries([[name, 'x']]))).toEqual(['invalid_request', sentence]);
  });

  it('has the parameters of its operation, and members of those that are objects', () => {
    expect(misread({ source: 'x', 'metadata[topic]': 'x', 'metadata[a.b]': 'x' })).toBeNull();
    expect(misread({}, 'q=100%25&source=caf%C3%A9&a=b+c')).toBeNull();
  });

  it.each([
    ['q=caf%E9', 'q'],
    ['source=a&q=%', 'q'],
    ['source=%zz&q=a', 'source'],
    ['metadata[a]=%ed%a0%80', 'metadata[a]'],
  ])('%s is not UTF-8', (text, name) => {
    expect(misread({}, text)).toEqual(['invalid_request', expect.stringContaining(`"${name}"`)]);
  });

  it('has no path in the name of a key', () => {
    const listed = (query: Record<string, unknown>) =>
      refusal(() => readFields(memoryListQuery, gathered(memoryListQuery, query)));
    expect(listed({ 'metadata[a.b]': 'x' })).toBeNull();
    expect(listed({ 'metadata[a][b]': 'x' })).toEqual(['invalid_filters', expect.stringContaining('no path')]);
    expect(listed({ 'metadata[]': 'x' })).toEqual(['invalid_filters', expect.stringContaining('no path')]);
  });

  it('names a kind of receipts that there is', () => {
    const listed = (query: Record<string, unknown>) => refusal(() => readFields(receiptListQuery, query));
    expect(listed({ kind: 'memory.write' })).toBeNull();
    for (const kind of ['memory.wirte', '', 'toString', 'memory.write,', 'wirte.*']) {
      expect(listed({ kind })).toEqual(['invalid_request', expect.stringContaining('kind: must be kinds of receipts')]);
    }
    expect(listed({ session: '' })).toEqual(['invalid_request', 'session: must not be empty.']);
  });
});
