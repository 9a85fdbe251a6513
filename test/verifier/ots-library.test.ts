import fc from 'fast-check';
import library from 'opentimestamps';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../src/verifier/bytes.js';
import type { Attestation } from '../../src/verifier/ots/attestation.js';
import { argumentOf, type Operation } from '../../src/verifier/ots/operation.js';
import { readDetached, readTimestamp } from '../../src/verifier/ots/read.js';
import type { Timestamp } from '../../src/verifier/ots/timestamp.js';
import { writeDetached, writeTimestamp } from '../../src/verifier/ots/write.js';
import { sha256 } from '../anchoring/bitcoin.js';
import { grow, type Shape, shape } from './shapes.js';

const subject = sha256(Buffer.from('subject'));

function theirOperation(step: Operation) {
  const { Ops } = library;
  const argument = [...argumentOf(step)];
  switch (step.name) {
    case 'append':
      return new Ops.OpAppend(argument);
    case 'prepend':
      return new Ops.OpPrepend(argument);
    case 'reverse':
      return new Ops.OpReverse();
    case 'sha1':
      return new Ops.OpSHA1();
    case 'ripemd160':
      return new Ops.OpRIPEMD160();
    default:
      return new Ops.OpSHA256();
  }
}

function theirAttestation(one: Attestation) {
  const { Notary } = library;
  if (one.kind === 'pending') return new Notary.PendingAttestation(one.uri);
  if (one.kind === 'unknown') return new Notary.UnknownAttestation([...one.tag], [...one.payload]);
  if (one.kind === 'bitcoin') return new Notary.BitcoinBlockHeaderAttestation(one.height);
  return new Notary.LitecoinBlockHeaderAttestation(one.height);
}

/** Builds with the library what `grow` builds with ours. */
function growTheirs(timestamp: InstanceType<typeof library.Timestamp>, { attestations, branches }: Shape): void {
  timestamp.attestations.push(...attestations.map(theirAttestation));
  for (const [step, below] of branches) growTheirs(timestamp.add(theirOperation(step)), below);
}

/** Every message of a tree and what is at it, in an order that does not depend on the tree's. */
function ours({ message, attestations, branches }: Timestamp): string[] {
  const own = attestations.map((one) => `${toHex(message)} ${theirAttestation(one)}`);
  return [toHex(message), ...own, ...branches.flatMap(({ timestamp }) => ours(timestamp))].sort();
}

function theirs({ msg, attestations, ops }: InstanceType<typeof library.Timestamp>): string[] {
  const message = toHex(Uint8Array.from(msg));
  const own = attestations.map((one) => `${message} ${one}`);
  return [message, ...own, ...[...ops.values()].flatMap(theirs)].sort();
}

describe('the library as second opinion', () => {
  it('reads what we write, and would write the same', () => {
    fc.assert(
      fc.property(shape, (one) => {
        const timestamp = grow(subject, one);
        const written = writeDetached({ hash: 'sha256', timestamp });
        const read = library.DetachedTimestampFile.deserialize(written);
        expect(theirs(read.timestamp)).toEqual(ours(timestamp));
        expect(toHex(read.serializeToBytes())).toBe(toHex(written));
        expect(library.info(read)).toContain(`File sha256 hash: ${toHex(subject)}`);
      }),
      { numRuns: 500 },
    );
  });

  it('writes what we read', () => {
    fc.assert(
      fc.property(shape, (one) => {
        const made = library.DetachedTimestampFile.fromHash(new library.Ops.OpSHA256(), subject);
        growTheirs(made.timestamp, one);
        const read = readDetached(made.serializeToBytes());
        expect(read.hash).toBe('sha256');
        expect(ours(read.timestamp)).toEqual(theirs(made.timestamp));
      }),
      { numRuns: 500 },
    );
  });
});

describe('any timestamp', () => {
  it('gives back what was written, no matter the order of its parts', () => {
    fc.assert(
      fc.property(shape, (one) => {
        const timestamp = grow(subject, one);
        const written = writeTimestamp(timestamp);
        expect(writeTimestamp(readTimestamp(written, subject))).toEqual(written);
        const turned = grow(subject, {
          attestations: one.attestations.toReversed(),
          branches: one.branches.toReversed(),
        });
        expect(writeTimestamp(turned)).toEqual(written);
      }),
    );
  });
});
