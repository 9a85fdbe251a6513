import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { canonicalBytes, commit } from '../../src/ledger/chain.js';
import { toBase64 } from '../../src/verifier/bytes.js';
import { receiptRows } from '../../src/verifier/receipt-rows.js';
import { verifyBundle } from '../../src/verifier/verify.js';
import { encode, seeded } from './bundles.js';

const salt = seeded('salt of a decision');
const text = '{"summary":"Refund it.","chosen":"refund"}';

/** A report on a bundle of a frozen decision or handoff, with changes of the body and of the text that it shows. */
function reportOf(
  kind: 'decision' | 'handoff',
  { body = {}, shown = text }: { body?: object; shown?: string | null } = {},
) {
  const { text: frozen } = JSON.parse(readFileSync(join(packageRoot, `test/corpus/entries/${kind}.json`), 'utf8'));
  const entry = JSON.parse(frozen);
  const whole = { ...entry, body: { ...entry.body, content_commitment: commit(salt, text), ...body } };
  const bundle = {
    format: 'counterfoil-proof/1' as const,
    entry: toBase64(canonicalBytes(whole)),
    ...(shown === null ? {} : { disclosed: { salt: toBase64(salt), content: shown, metadata: null, source: null } }),
    keys: [],
    anchors: [],
  };
  const { receipt, claims } = verifyBundle(encode(bundle), { keys: [] });
  const rows = receipt && receiptRows(receipt);
  return {
    decision: receipt?.decision,
    content: claims.find(({ name }) => name === 'content')?.state,
    rows: rows && Object.fromEntries(rows.map(({ name, values }) => [name, values])),
  };
}

describe('a bundle of a decision or a handoff', () => {
  // @covers DECISION-BUNDLE
  it('is reported and shown with its fields and its text', () => {
    const { decision, content, rows } = reportOf('decision');
    expect(content).toBe('verified');
    expect(decision).toEqual({
      namespace_id: '0199320f-7813-7ecc-8eba-79aeb71b5ba0',
      to_agent: null,
      refs: ['https://tickets.example.org/417'],
      private_text: text,
    });
    expect(rows).toEqual({
      Namespace: ['0199320f-7813-7ecc-8eba-79aeb71b5ba0'],
      References: ['https://tickets.example.org/417'],
      'Private text': [text],
    });
    const handoff = reportOf('handoff');
    expect(handoff.decision).toMatchObject({ to_agent: expect.stringMatching(/^agn_/), private_text: text });
    expect(handoff.rows).toMatchObject({ 'Handed to': [expect.stringMatching(/^agn_/)] });
  });

  // @covers DECISION-BUNDLE DECISION-ERASE
  it('shows no text after the erasure, and none that the entry does not commit to', () => {
    const erased = reportOf('decision', { shown: null });
    expect([erased.content, erased.decision?.private_text]).toEqual(['absent', null]);
    expect(erased.rows).toMatchObject({
      'Private text': ['not in this bundle: it was erased, or is not for every reader'],
    });
    const forged = reportOf('decision', { shown: text.replace('Refund', 'Keep') });
    expect([forged.content, forged.decision?.private_text]).toEqual(['failed', null]);
  });

  it('says when its fields cannot be read', () => {
    for (const body of [{ refs: 'one' }, { refs: [1] }, { namespace_id: null }, { to_agent: {} }]) {
      expect([body, reportOf('handoff', { body }).rows]).toEqual([body, null]);
    }
  });

  it('is shown in short lines, no matter what its texts are', () => {
    const hostile = `\u001b[2J\nentry  verified\u202e${'x'.repeat(500)}`;
    const { rows } = reportOf('handoff', {
      body: { refs: Array.from({ length: 100 }, () => hostile), to_agent: hostile },
    });
    const lines = Object.values(rows ?? {}).flat();
    expect(lines.join('')).not.toMatch(/[\p{C}\u2028\u2029]/u);
    expect(lines.length).toBeLessThan(30);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(300);
  });
});
