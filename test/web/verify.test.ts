import { describe, expect, it } from 'vitest';
import { formatVerifierKey, verifierKey } from '../../src/verifier/note.js';
import type { Claim, Report, State } from '../../src/verifier/report.js';
import {
  readBlocks,
  readContract,
  readHeaders,
  readKeys,
  readReceiptHash,
  readWitnesses,
  reason,
} from '../../src/web/verify/measures.js';
import { summarize } from '../../src/web/verify/summary.js';

const names: readonly Claim['name'][] = [
  ...(['entry', 'content', 'inclusion', 'checkpoint', 'consistency', 'opentimestamps', 'ethereum'] as const),
];

/** A report with these states, and `verified` for the rest. */
function reportOf(states: Partial<Record<Claim['name'], State>>): Report {
  const claims = names.map((name) => ({ name, state: states[name] ?? 'verified', text: '', details: {} }));
  return { receipt: null, claims };
}

describe('the sentence over all claims', () => {
  it('names failures before anything else', () => {
    const { tone, sentence } = summarize(reportOf({ content: 'failed', checkpoint: 'not checked' }), true);
    expect([tone, sentence]).toEqual(['failed', '1 of 7 claims failed.']);
  });

  it('counts what was not checked', () => {
    const { tone, sentence, notes } = summarize(reportOf({ checkpoint: 'not checked', ethereum: 'not checked' }), true);
    expect([tone, sentence, notes]).toEqual(['not checked', 'Nothing failed; 2 of 7 claims were not checked.', []]);
  });

  it('does not call a bundle verified that is tied to no log', () => {
    const { tone, notes } = summarize(reportOf({ inclusion: 'absent', checkpoint: 'absent' }), false);
    expect([tone, notes]).toEqual(['not checked', ['It does not show that the receipt is in a signed log.']]);
    expect(summarize(reportOf({ content: 'absent', ethereum: 'absent' }), false)).toMatchObject({
      tone: 'verified',
      notes: [],
    });
  });

  it('does not call a bundle verified for which only the service signs', () => {
    const { tone, sentence, notes } = summarize(reportOf({ content: 'absent' }), true);
    expect([tone, sentence]).toEqual(['not checked', 'Nothing failed, but the only key is from this service itself.']);
    expect(notes).toEqual([expect.stringMatching(/proves nothing against the service\. Enter a key that you have/)]);
    expect(summarize(reportOf({ checkpoint: 'absent' }), true).notes).toHaveLength(1);
    const { receipt, claims } = reportOf({});
    const cosigned = { name: 'witnesses', state: 'verified', text: '', details: {} } as const;
    expect(summarize({ receipt, claims: [...claims, cosigned] }, true).tone).toBe('verified');
  });
});

describe('what the reader brings', () => {
  const line = formatVerifierKey(verifierKey('log.example/a', 'ed25519', new Uint8Array(32).fill(7)));

  it('keys: those that can be read, and which line cannot', () => {
    expect(readKeys(`\n ${line} \r\n\n`)).toMatchObject({ value: [{ name: 'log.example/a' }], fault: '' });
    const { value, fault } = readKeys(`${line}\nnonsense`);
    expect(value).toHaveLength(1);
    expect(fault).toMatch(/^Line 2 is not used: .+[^.]\.$/);
  });

  it('a receipt hash in either case', () => {
    expect(readReceiptHash(` ${'AB'.repeat(32)}\n`)).toEqual({ value: 'ab'.repeat(32), fault: '' });
    expect(readReceiptHash(' ')).toEqual({ value: undefined, fault: '' });
    expect(readReceiptHash('ab').fault).not.toBe('');
  });

  it('blocks and a contract of Ethereum', () => {
    const hash = 'ab'.repeat(32);
    expect(readBlocks(`0x${hash.toUpperCase()}\n`)).toEqual({ value: new Set([hash]), fault: '' });
    expect(readBlocks(' \n')).toEqual({ value: undefined, fault: '' });
    expect(readBlocks('12')).toEqual({
      value: undefined,
      fault: expect.stringMatching(/^They are not used: line 1: /),
    });
    expect(readContract(` 0x${'cD'.repeat(20)} `)).toEqual({ value: new Uint8Array(20).fill(0xcd), fault: '' });
    expect(readContract('')).toEqual({ value: undefined, fault: '' });
    expect(readContract('0x12').fault).toMatch(/^It is not used: /);
  });

  it('a policy of witnesses, or their keys and a quorum', () => {
    const witness = formatVerifierKey(verifierKey('w.example', 'cosignature/v1', new Uint8Array(32).fill(9)));
    expect(readWitnesses(' \n', 'x')).toEqual({ value: undefined, fault: '' });
    expect(readWitnesses(witness, ' 1 ')).toMatchObject({ value: { witnesses: [{ name: 'w.example' }] }, fault: '' });
    expect(readWitnesses(`witness w ${witness}\nquorum w`, '')).toMatchObject({ value: { logs: [] }, fault: '' });
    expect(readWitnesses(witness, '').fault).toMatch(/^It is not used: a list of witnesses without the number/);
    expect(readWitnesses(witness, '0').fault).toMatch(/^It is not used: the quorum is a number from 1 on\.$/);
  });

  it('block headers by height', () => {
    const headers = readHeaders(`{"0": "${'0A'.repeat(80)}", "850000": "${'ff'.repeat(80)}"}`);
    expect([headers.get(0)?.[0], headers.get(850_000)?.length, headers.get(1)]).toEqual([10, 80, undefined]);
  });

  it.each([
    '',
    '[]',
    'null',
    '{}',
    '{"01": ""}',
    '{"1": "00"}',
    '{"1": 5}',
    `{"-1": "${'00'.repeat(80)}"}`,
  ])('refuses %s as block headers, with a sentence', (text) => {
    let reported = '';
    try {
      readHeaders(text);
    } catch (error) {
      reported = reason(error);
    }
    expect(reported).not.toBe('');
    expect(reported).not.toContain('fault');
  });
});
