import { z } from 'zod';
import type { bounds } from './bounds.js';
import { figure } from './figure.js';

const evidence = z.object({
  receipts: figure(z.int(), {
    formula: 'The number of public task receipts with recorded_at ≤ t',
    unit: 'receipts',
    window: 'all time',
    source: 'recorded_at',
  }),
  root: figure(z.string(), {
    formula:
      'The RFC 6962 root over the hashes of these receipts, ordered by (recorded_at, hash); without receipts the SHA-256 of nothing',
    unit: 'hex',
    window: 'all time',
    source: 'receipt_hash, recorded_at',
  }),
  log_size: figure(z.int(), {
    formula: 'The size of the last checkpoint of the log that was signed at t or before; 0 without one',
    unit: 'leaves',
    window: 'at t',
    source: 'checkpoints of the log',
  }),
});

function listSize(name: string) {
  return z.object({
    bound: figure(z.int(), {
      formula: `The largest number of rows of ${name} that the feed shows. The bound cuts after ordering`,
      unit: 'rows',
      window: 'at t',
      source: 'a constant',
    }),
    total: figure(z.int(), {
      formula: `The number of rows that ${name} would have without the bound`,
      unit: 'rows',
      window: 'at t',
      source: `${name}`,
    }),
  });
}

/** The members with which the first object of a feed begins. @param names the bounded lists of the feed */
export function feedHead<N extends keyof typeof bounds>(names: readonly N[]) {
  const sizes = Object.fromEntries(names.map((name) => [name, listSize(name)]));
  return {
    as_of: figure(z.iso.datetime(), {
      formula: 't: the clock of the service less 5 s, cut down to the minute, at which every chain was complete',
      unit: 'moment',
      window: 'at t',
      source: 'the clock of the service',
    }),
    evidence,
    lists: z.object(sizes),
  };
}
