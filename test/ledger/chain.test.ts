import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Unlinked } from '../../contracts/entries/entry.js';
import { entryHash, follow, genesisBytes, genesisHead, type Head, type Linked, link } from '../../src/ledger/chain.js';

const workspace = '018f0000-0000-7000-8000-000000000001';
const genesis = genesisHead(genesisBytes(workspace, '2026-01-01T00:00:00.000Z'));

function draft(n: number): Unlinked {
  return {
    kind: 'namespace.created',
    receipt_id: `rcp_${n}`,
    recorded_at: '2026-01-01T00:00:00.000Z',
    actor: { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null },
    body: { namespace_id: workspace, name: `n${n}`, is_default: false, text_config: 'simple' },
  };
}

const chainOf = (length: number) =>
  link(
    workspace,
    genesis,
    Array.from({ length }, (_, n) => draft(n)),
  );
const stored = ({ entry, bytes, hash }: Linked) => ({ seq: entry.seq, bytes, hash });

/** Follows a whole chain; a sentence is the first fault. */
function check(links: readonly { seq: number; bytes: Uint8Array; hash: string }[]): Head | string {
  let head: Head = genesis;
  for (const one of links) {
    const next = follow(workspace, head, one);
    if (typeof next === 'string') return next;
    head = next;
  }
  return head;
}

describe('chain', () => {
  it('is followed from the genesis to its head', () => {
    const links = chainOf(20);
    expect(check(links.map(stored))).toEqual({ seq: 20, hash: links[19]?.hash });
  });

  it('linking in parts gives the same bytes as linking at once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), (cut) => {
        const drafts = Array.from({ length: 12 }, (_, n) => draft(n));
        const first = link(workspace, genesis, drafts.slice(0, cut));
        const last = first.at(-1);
        const rest = link(workspace, last ? { seq: last.entry.seq, hash: last.hash } : genesis, drafts.slice(cut));
        expect([...first, ...rest]).toEqual(link(workspace, genesis, drafts));
      }),
    );
  });

  it('hashes with the leaf prefix of RFC 6962', () => {
    // The leaf hash of the empty string, as every RFC 6962 implementation gives it.
    expect(entryHash(new Uint8Array())).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
  });

  it('finds any flipped bit', () => {
    const links = chainOf(4).map(stored);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 }), fc.nat(), fc.integer({ min: 0, max: 7 }), (at, where, bit) => {
        const changed = links.map((one) => ({ ...one, bytes: Uint8Array.from(one.bytes) }));
        const { bytes } = changed[at] ?? { bytes: new Uint8Array(1) };
        const index = where % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        expect(typeof check(changed)).toBe('string');
      }),
      { numRuns: 500 },
    );
  });

  it('finds an entry that is missing, doubled, swapped, rehashed, or of another workspace', () => {
    const links = chainOf(5).map(stored);
    const [a, b, c] = links;
    if (!a || !b || !c) throw new Error('the chain is too short');
    expect(check([a, c])).toMatch(/entry 2 .* is missing/);
    expect(check([a, a])).toMatch(/is missing/);
    expect(check([b, a])).toMatch(/is missing/);
    const altered = Buffer.from(Buffer.from(a.bytes).toString().replace('"n0"', '"nX"'));
    expect(check([{ ...a, bytes: altered }])).toMatch(/do not hash/);
    const rehashed = { ...a, bytes: altered, hash: entryHash(altered) };
    expect(check([rehashed, b])).toMatch(/does not point/);
    const spaced = Buffer.from(Buffer.from(a.bytes).toString().replace('{', '{ '));
    expect(check([{ ...a, bytes: spaced, hash: entryHash(spaced) }])).toMatch(/canonical/);
    const [foreign] = link('018f0000-0000-7000-8000-000000000002', genesis, [draft(0)]);
    expect(foreign && check([stored(foreign)])).toMatch(/belongs to workspace/);
    expect(check([{ seq: 1, bytes: Uint8Array.of(0xff), hash: entryHash(Uint8Array.of(0xff)) }])).toMatch(/canonical/);
  });
});
