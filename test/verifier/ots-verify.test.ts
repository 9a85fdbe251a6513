import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attestation } from '../../src/verifier/ots/attestation.js';
import { apply, type Operation } from '../../src/verifier/ots/operation.js';
import { merge, path, type Timestamp } from '../../src/verifier/ots/timestamp.js';
import { type Headers, type TimestampClaim, verifyDetached } from '../../src/verifier/ots/verify.js';
import { writeDetached } from '../../src/verifier/ots/write.js';
import { createChain, dataTransaction, easyTarget, sha256, withoutWork } from '../anchoring/bitcoin.js';

const digest = sha256(Buffer.from('digest'));
const chain = createChain();
chain.mine(3);
const headers: Headers = (height) => chain.block(height)?.header;
const easiest = () => easyTarget;
const promise: Attestation = { kind: 'pending', uri: 'https://calendar' };

/** A timestamp of `digest` in the next block. */
function anchored(nonce: string): Timestamp {
  const blind: Operation[] = [{ name: 'append', argument: sha256(Buffer.from(nonce)) }, { name: 'sha256' }];
  const transaction = dataTransaction(blind.reduce((message, step) => apply(step, message), digest));
  chain.send(transaction);
  chain.mine();
  const { height, path: above } = chain.find(transaction) ?? { height: 0, path: [] };
  const steps: Operation[] = [
    ...blind,
    { name: 'prepend', argument: transaction.slice(0, -36) },
    { name: 'append', argument: transaction.slice(-4) },
    { name: 'sha256' },
    { name: 'sha256' },
    ...above,
  ];
  return path(digest, steps, (message) => ({ message, attestations: [{ kind: 'bitcoin', height }], branches: [] }));
}

function direct(...attestations: Attestation[]): Timestamp {
  return { message: digest, attestations, branches: [] };
}

function verify(timestamp: Timestamp, known: Headers = headers): TimestampClaim {
  return verifyDetached(writeDetached({ hash: 'sha256', timestamp }), digest, known, easiest);
}

const first = anchored('first');
const second = anchored('second');
const file = writeDetached({ hash: 'sha256', timestamp: first });

describe('an OpenTimestamps claim', () => {
  it('is verified by one block, and says the earliest of several', () => {
    expect(verify(first)).toMatchObject({ state: 'verified', height: 4, time: 1_750_002_400 });
    expect(verify(second)).toMatchObject({ state: 'verified', height: 5 });
    expect(verify(merge(second, first))).toMatchObject({ state: 'verified', height: 4 });
    expect(verify(merge(first, direct(promise, { kind: 'bitcoin', height: 2 })))).toMatchObject({ state: 'verified' });
  });

  it('names what is in the way of a check', () => {
    const unknown: Attestation = { kind: 'unknown', tag: new Uint8Array(8), payload: new Uint8Array() };
    expect(verify(direct(promise, promise))).toMatchObject({
      state: 'not checked',
      pending: ['https://calendar'],
      missing: [],
    });
    expect(verify(first, () => undefined)).toMatchObject({ state: 'not checked', pending: [], missing: [4] });
    expect(verify(direct(promise, unknown, { kind: 'litecoin', height: 2 }, { kind: 'bitcoin', height: 900 }))).toEqual(
      {
        state: 'not checked',
        reason: expect.stringMatching(
          /^(?=.*pending at https:\/\/calendar)(?=.*litecoin)(?=.*unknown)(?=.*block 900 is missing)/,
        ),
        pending: ['https://calendar'],
        missing: [900],
      },
    );
  });

  it('fails where a block should attest and does not', () => {
    expect(verify(direct({ kind: 'bitcoin', height: 2 }))).toEqual({
      state: 'failed',
      reason: 'block 2 does not contain it',
    });
    expect(verify(direct(promise, { kind: 'bitcoin', height: 2 }))).toMatchObject({ state: 'failed' });
  });

  it('fails with a header that cannot be believed', () => {
    expect(verifyDetached(file, digest, headers)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('easier'),
    });
    expect(verify(first, () => new Uint8Array(79))).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('79'),
    });
    const cheap = withoutWork(chain.block(4)?.header ?? new Uint8Array());
    expect(verify(first, () => cheap)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('without the work'),
    });
    expect(verify(first, () => ({ fault: 'the source gave another header' }))).toEqual({
      state: 'failed',
      reason: 'block 4: the source gave another header',
    });
  });

  it('fails for another digest, another hash and an unreadable file', () => {
    expect(verifyDetached(file, sha256(digest), headers, easiest)).toMatchObject({ state: 'failed' });
    expect(verifyDetached(file, digest.slice(0, 31), headers, easiest)).toMatchObject({ state: 'failed' });
    const short = path(digest.slice(0, 20), [], (message) => ({ ...direct(promise), message }));
    const sha1 = writeDetached({ hash: 'sha1', timestamp: short });
    expect(verifyDetached(sha1, digest.slice(0, 20), headers, easiest)).toMatchObject({ state: 'failed' });
    expect(verifyDetached(new Uint8Array(), digest, headers, easiest)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('cannot be read'),
    });
  });
});

describe('a verified file', () => {
  const stateOf = (changed: Uint8Array) => verifyDetached(changed, digest, headers, easiest).state;

  it('is verified no more with any bit turned', () => {
    expect(stateOf(file)).toBe('verified');
    for (let at = 0; at < file.length; at += 1) {
      for (let bit = 1; bit < 256; bit *= 2) expect(stateOf(file.with(at, (file[at] ?? 0) ^ bit))).not.toBe('verified');
    }
  });

  it('is verified no more when anything is cut off or put behind', () => {
    for (let length = 0; length < file.length; length += 1) expect(stateOf(file.slice(0, length))).toBe('failed');
    for (let byte = 0; byte < 256; byte += 1) expect(stateOf(new Uint8Array([...file, byte]))).toBe('failed');
  });

  it('is verified no more with a piece replaced, left out or repeated', () => {
    const place = fc.nat(file.length);
    fc.assert(
      fc.property(place, place, fc.uint8Array({ maxLength: 20 }), (from, to, piece) => {
        const changed = new Uint8Array([...file.slice(0, from), ...piece, ...file.slice(to)]);
        fc.pre(Buffer.compare(changed, file) !== 0);
        expect(stateOf(changed)).not.toBe('verified');
      }),
      { numRuns: 3000 },
    );
  });
});
