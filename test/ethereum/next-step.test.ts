import { describe, expect, it } from 'vitest';
import { firstFees, replacementFees } from '../../src/domain/ethereum/fees.js';
import {
  type Inclusion,
  nextStep,
  type Seen,
  type StepSettings,
  type TransactionRow,
} from '../../src/domain/ethereum/next-step.js';

const gwei = 10n ** 9n;
const inclusion: Inclusion = {
  txHash: '0xaa',
  blockNumber: 100,
  blockHash: '0xb100',
  blockTime: '2026-11-23T00:00:00.000Z',
  succeeded: true,
  paid: 5n,
};
const variant = { txHash: '0xaa', maxFee: 8n * gwei, priorityFee: gwei };
const sent: TransactionRow = { nonce: 7, state: 'sent', gasLimit: 60_000n, variants: [variant], inclusion: null };
const mined: TransactionRow = { ...sent, state: 'mined', inclusion };
const done: TransactionRow = { ...mined, state: 'done' };
const seen: Seen = {
  head: 102,
  sentAt: 100,
  finalHead: 91,
  nonce: 7,
  user: 'open',
  inclusion: null,
  storedBlock: 'not looked at',
  market: { baseFee: 10n * gwei, priorityFee: gwei },
  looks: 1,
};
const used: Partial<Seen> = { nonce: 8 };
const settings: StepSettings = { ceiling: 50n * gwei, maxTip: 3n * gwei, budgetLeft: 10n ** 18n, canSign: true };

describe('the next step of a transaction', () => {
  // @covers ETH-SAME-BYTES ETH-REPLACEMENT ETH-CONFIRMED ETH-LOST ETH-FOREIGN-NONCE
  it.each<[string, TransactionRow, Partial<Seen>, Partial<StepSettings>, unknown]>([
    ['sends the same bytes while no block has it', sent, {}, {}, { step: 'send', problem: null }],
    [
      'replaces it after six blocks',
      sent,
      { head: 106 },
      {},
      { step: 'replace', fees: { maxFee: 21n * gwei, priorityFee: 1_125_000_000n } },
    ],
    ['waits for the chain to move', sent, { head: 105 }, {}, { step: 'send', problem: null }],
    [
      'never goes above the ceiling',
      sent,
      { head: 106 },
      { ceiling: 8n * gwei },
      { step: 'send', problem: expect.stringContaining('ceiling of 8 gwei') },
    ],
    [
      'offers the ceiling at most',
      sent,
      { head: 106 },
      { ceiling: 9n * gwei },
      { step: 'replace', fees: { maxFee: 9n * gwei, priorityFee: 1_125_000_000n } },
    ],
    [
      'never offers a higher tip than the highest',
      { ...sent, variants: [{ ...variant, priorityFee: 27n * 10n ** 8n }] },
      { head: 106 },
      {},
      {
        step: 'send',
        problem: 'a transaction is stuck, and a higher tip is above the 3 gwei that ETH_MAX_TIP_GWEI permits',
      },
    ],
    [
      'offers the highest tip, no matter what a node names',
      sent,
      { head: 106, market: { baseFee: 10n * gwei, priorityFee: 20n * gwei } },
      {},
      { step: 'replace', fees: { maxFee: 23n * gwei, priorityFee: 3n * gwei } },
    ],
    [
      'keeps to the budget',
      sent,
      { head: 106 },
      { budgetLeft: 1n },
      { step: 'send', problem: expect.stringContaining('budget') },
    ],
    [
      'cannot replace without the key',
      sent,
      { head: 106 },
      { canSign: false },
      { step: 'send', problem: expect.stringContaining('earlier key') },
    ],
    ['notes its block', sent, { nonce: 8, inclusion }, {}, { step: 'mined', inclusion }],
    [
      'looks again when its nonce is used',
      sent,
      used,
      {},
      { step: 'wait', problem: expect.stringContaining('nonce 7 is used') },
    ],
    [
      'believes no single look',
      sent,
      { ...used, user: 'foreign', looks: 2 },
      {},
      { step: 'wait', problem: expect.any(String) },
    ],
    [
      'gives the nonce up to a transaction of another sender in a final block',
      sent,
      { ...used, user: 'foreign', looks: 3 },
      {},
      { step: 'settle', state: 'taken' },
    ],
    [
      'does not while a block may be replaced',
      sent,
      { ...used, looks: 9 },
      {},
      { step: 'wait', problem: expect.any(String) },
    ],
    [
      'waits for the receipt of its own transaction',
      sent,
      { ...used, user: 'ours', looks: 9 },
      {},
      {
        step: 'wait',
        problem:
          'nonce 7 is used, and the node has the transaction of this service in a final block, but not its receipt: wait, or use another node',
      },
    ],
    [
      'waits where the node does not show whose transaction it is',
      sent,
      { ...used, user: 'unknown', looks: 9 },
      {},
      {
        step: 'wait',
        problem:
          'nonce 7 is used, and the node does not show the transaction that has used it: use a node that has old blocks and their states',
      },
    ],
    [
      'waits for confirmations',
      mined,
      { storedBlock: 'in the chain', finalHead: 99 },
      {},
      { step: 'wait', problem: null },
    ],
    [
      'waits while nothing is final',
      mined,
      { storedBlock: 'in the chain', finalHead: null },
      {},
      { step: 'wait', problem: null },
    ],
    [
      'is done in a final block',
      mined,
      { storedBlock: 'in the chain', finalHead: 100 },
      {},
      { step: 'settle', state: 'done' },
    ],
    [
      'waits for a node that lags',
      mined,
      { storedBlock: 'not looked at', finalHead: 100 },
      {},
      { step: 'wait', problem: null },
    ],
    [
      'has failed in a final block',
      { ...mined, inclusion: { ...inclusion, succeeded: false } },
      { storedBlock: 'in the chain', finalHead: 100 },
      {},
      { step: 'settle', state: 'failed' },
    ],
    [
      'believes no single look at a replaced block',
      mined,
      { storedBlock: 'replaced', looks: 2 },
      {},
      { step: 'wait', problem: null },
    ],
    ['is lost with its block', mined, { storedBlock: 'replaced', looks: 3 }, {}, { step: 'lost' }],
    ['is lost after it was final', done, { storedBlock: 'replaced', looks: 3 }, {}, { step: 'lost' }],
    ['stays done', done, { storedBlock: 'in the chain', finalHead: 200 }, {}, { step: 'wait', problem: null }],
    [
      'is over when it is taken',
      { ...sent, state: 'taken' },
      { nonce: 9, user: 'foreign', looks: 9 },
      {},
      { step: 'wait', problem: null },
    ],
  ])('%s', (_, row, sees, has, expected) => {
    expect(nextStep(row, { ...seen, ...sees }, { ...settings, ...has })).toEqual(expected);
  });
});

describe('fees', () => {
  // @covers ETH-CEILING ETH-REPLACEMENT
  it('stay below the ceiling, no matter what a node names', () => {
    const limits = { ceiling: 50n * gwei, maxTip: 3n * gwei };
    expect(firstFees({ baseFee: 10n * gwei, priorityFee: gwei }, limits)).toEqual({
      maxFee: 21n * gwei,
      priorityFee: gwei,
    });
    expect(firstFees({ baseFee: 40n * gwei, priorityFee: gwei }, limits)?.maxFee).toBe(50n * gwei);
    expect(firstFees({ baseFee: 50n * gwei, priorityFee: gwei }, limits)).toBeNull();
    expect(firstFees({ baseFee: 1n, priorityFee: 10n ** 30n }, limits)).toEqual({
      maxFee: 3n * gwei + 2n,
      priorityFee: 3n * gwei,
    });
    const low = { ceiling: 10n ** 4n, maxTip: 10n ** 30n };
    let last = { maxFee: 1n, priorityFee: 0n };
    let times = 0;
    for (;;) {
      const next = replacementFees(last, { baseFee: 10n ** 30n, priorityFee: 10n ** 30n }, low);
      if (typeof next === 'string') break;
      expect(8n * next.maxFee >= 9n * last.maxFee && next.maxFee > last.maxFee && next.maxFee <= 10n ** 4n).toBe(true);
      expect(8n * next.priorityFee >= 9n * last.priorityFee && next.priorityFee > last.priorityFee).toBe(true);
      expect(next.priorityFee <= next.maxFee).toBe(true);
      last = next;
      times += 1;
    }
    expect(times).toBe(1);
    expect(replacementFees({ maxFee: 100n, priorityFee: 10n }, { baseFee: 0n, priorityFee: 0n }, low)).toEqual({
      maxFee: 113n,
      priorityFee: 12n,
    });
  });
});
