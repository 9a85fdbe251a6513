import { z } from 'zod';
import { figure } from './figure.js';

/** The window of what was stated, and counts until it is stated otherwise. */
export const atT = 'at t';

export const symbol = (source: string) =>
  figure(z.string(), {
    formula: 'The capability in capitals with a dot for each hyphen',
    unit: 'text',
    window: atT,
    source,
  });

export const id = (formula: string, source: string) =>
  figure(z.string(), { formula, unit: 'text', window: atT, source });

export const dollars = (formula: string, source: string, window = atT) =>
  figure(z.number(), { formula, unit: 'USD', window, source });

export const amount = (formula: string, source: string) =>
  figure(z.number(), { formula, unit: 'units', window: atT, source });

/** A time that receipts state with any offset and any number of digits. */
export const moment = (formula: string, source: string) =>
  figure(z.iso.datetime(), {
    formula: `${formula}. As RFC 3339 in UTC, finer digits than milliseconds are cut`,
    unit: 'moment',
    window: atT,
    source,
  });

export const stateHash = (object: string) =>
  figure(z.string(), {
    formula: `The hash of the receipt with the newest statement (highest seq) of the owner of the ${object}: its state`,
    unit: 'hex',
    window: atT,
    source: 'receipt_hash',
  });
