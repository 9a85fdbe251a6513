import { describe, expect, it } from 'vitest';
import { isOperator, isReserved } from '../../src/domain/operators.js';

const named = new Set(['ops@example.org']);

describe('operators', () => {
  it('are those whom the setting names, and without it the owners of the first workspace', () => {
    const ops = { emailKeys: ['ops@example.org'], ownsFirst: false };
    const owner = { emailKeys: ['owner@example.org'], ownsFirst: true };
    expect([isOperator(named, ops), isOperator(named, owner)]).toEqual([true, false]);
    expect([isOperator(null, ops), isOperator(null, owner)]).toEqual([false, true]);
  });

  it('get no account from an administrator of another workspace, no matter how the address is written', () => {
    const outsider = { isInFirst: false, isOperator: false };
    expect(isReserved(named, 'OPS@Example.ORG', outsider)).toBe(true);
    expect(isReserved(named, 'ada@example.org', outsider)).toBe(false);
    expect(isReserved(null, 'ops@example.org', outsider)).toBe(false);
    expect(isReserved(named, 'ops@example.org', { ...outsider, isInFirst: true })).toBe(false);
    expect(isReserved(named, 'ops@example.org', { ...outsider, isOperator: true })).toBe(false);
  });
});
