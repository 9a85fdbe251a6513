import { describe, expect, it } from 'vitest';
import { type BeginSettings, foreignNonce, mayBegin, type SeenBefore } from '../../src/domain/ethereum/begin.js';

const gwei = 10n ** 9n;

describe('a new transaction', () => {
  const before: SeenBefore = {
    nonce: 8,
    headAgeMs: 12_000,
    user: 'open',
    market: { baseFee: 10n * gwei, priorityFee: gwei },
    gas: 50_000n,
    balance: 10n ** 18n,
    looks: 1,
  };
  const may: BeginSettings = {
    lastNonce: 7,
    isTaken: false,
    ceiling: 50n * gwei,
    maxTip: 3n * gwei,
    budgetLeft: 10n ** 18n,
    mostGas: 150_000n,
    leastGas: 50_000n,
  };
  const waits = (problem: unknown) => ({ begin: false, problem });

  // @covers ETH-CEILING ETH-BUDGET ETH-FOREIGN-NONCE
  it.each<[string, Partial<SeenBefore>, Partial<BeginSettings>, unknown]>([
    [
      'takes the next nonce',
      {},
      {},
      { begin: true, nonce: 8, gasLimit: 62_500n, fees: { maxFee: 21n * gwei, priorityFee: gwei } },
    ],
    [
      'takes the first nonce of the chain after three looks',
      { looks: 3 },
      { lastNonce: null },
      expect.objectContaining({ nonce: 8 }),
    ],
    [
      'begins a new account on a recent block only',
      { looks: 9, headAgeMs: 300_000 },
      { lastNonce: null },
      waits('the newest block of the node was made 5 minutes ago, and a new key begins on a recent block only'),
    ],
    [
      'begins a new account on a block younger than five minutes',
      { looks: 3, headAgeMs: 299_999 },
      { lastNonce: null },
      expect.objectContaining({ begin: true }),
    ],
    ['needs no recent block later', { headAgeMs: 10 ** 9 }, {}, expect.objectContaining({ begin: true })],
    ['looks three times at a new account', { looks: 2 }, { lastNonce: null }, waits(null)],
    ['waits for a node that lags', { nonce: 7 }, {}, waits(expect.stringContaining('behind'))],
    ['waits when the nonce is used', { nonce: 9 }, {}, waits('the node says that nonce 8 is used')],
    ['stops when another sender did', { nonce: 9, user: 'foreign', looks: 3 }, {}, waits(foreignNonce)],
    ['looks three times', { nonce: 9, user: 'foreign', looks: 2 }, {}, waits('the node says that nonce 8 is used')],
    [
      'waits when the node does not show who did',
      { nonce: 9, user: 'unknown', looks: 9 },
      {},
      waits('the node says that nonce 8 is used'),
    ],
    ['stops with a nonce that was taken', {}, { isTaken: true }, waits(foreignNonce)],
    ['waits above the ceiling', {}, { ceiling: 10n * gwei }, waits('the fee is above the ceiling of 10 gwei')],
    [
      'waits over the budget',
      {},
      { budgetLeft: 62_500n * 21n * gwei - 1n },
      waits(expect.stringContaining('the budget of this day')),
    ],
    [
      'spends the budget to the last wei',
      {},
      { budgetLeft: 62_500n * 21n * gwei },
      expect.objectContaining({ begin: true }),
    ],
    ['waits for ether', { balance: 1n }, {}, waits(expect.stringContaining('send ether'))],
    ['refuses absurd gas', { gas: 10n ** 30n }, {}, waits(expect.stringContaining('150000'))],
    ['allows at least the gas that it needs', { gas: 21_000n }, {}, expect.objectContaining({ gasLimit: 50_000n })],
    [
      'offers the highest tip at most',
      { market: { baseFee: 10n * gwei, priorityFee: 30n * gwei } },
      {},
      expect.objectContaining({ fees: { maxFee: 23n * gwei, priorityFee: 3n * gwei } }),
    ],
    ['bounds the gas', { gas: 149_000n }, {}, expect.objectContaining({ gasLimit: 150_000n })],
  ])('%s', (_, sees, has, expected) => {
    expect(mayBegin({ ...before, ...sees }, { ...may, ...has })).toEqual(expected);
  });
});
