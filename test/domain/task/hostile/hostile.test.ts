import { describe, expect, it } from 'vitest';
import { refused } from '../samples.js';
import { batches, sizes, texts } from './bodies.js';
import { assigned, names, times } from './fields.js';
import { market } from './market.js';
import type { Row } from './row.js';
import { values } from './values.js';

const tables: Readonly<Record<string, readonly Row[]>> = {
  texts,
  sizes,
  batches,
  assigned,
  names,
  times,
  values,
  market,
};

/** The fault of a refusal, as the rows name it: with the position of the receipt in a batch before its path. */
function faultOf(details: Readonly<Record<string, unknown>>): unknown {
  if ('limit' in details) return { limit: details.limit, got: details.got };
  const issues: unknown = details.issues;
  const [first] = Array.isArray(issues) ? issues : [];
  const index = details.index === undefined ? '' : `${details.index}:`;
  return first === undefined ? undefined : `${index}${first.path}`;
}

describe.each(Object.entries(tables))('hostile %s', (_, rows) => {
  it.each(rows)('%s', (_about, sent, code, fault) => {
    const { details, ...refusal } = refused(sent);
    expect([refusal.code, faultOf(details)]).toEqual([code, fault]);
  });
});

it('are at least 200', () => {
  expect(Object.values(tables).flat().length).toBeGreaterThanOrEqual(200);
});
