import fc from 'fast-check';
import library from 'opentimestamps';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../src/verifier/bytes.js';
import type { Attestation } from '../../src/verifier/ots/attestation.js';
import { apply, argumentOf, type Operation, operationTags } from '../../src/verifier/ots/operation.js';
import { limits, magic, readDetached, readTimestamp } from '../../src/verifier/ots/read.js';
import { commitments, type Detached, fulfil, merge, path, type Timestamp } from '../../src/verifier/ots/timestamp.js';
import { writeDetached, writeTimestamp } from '../../src/verifier/ots/write.js';
import { Unreadable } from '../../src/verifier/unreadable.js';
import { sha256 } from '../anchoring/bitcoin.js';

const subject = sha256(Buffer.from('subject'));
const pending = (uri: string): Attestation => ({ kind: 'pending', uri });
const bitcoin = (height: number): Attestation => ({ kind: 'bitcoin', height });
const append = (text: string): Operation => ({ name: 'append', argument: new Uint8Array(Buffer.from(text)) });
const hash: Operation = { name: 'sha256' };

function attested(...attestations: Attestation[]) {
  return (message: Uint8Array): Timestamp => ({ message, attestations, branches: [] });
}

function file(...operations: Operation[]): Uint8Array {
  return writeDetached({ hash: 'sha256', timestamp: path(subject, operations, attested(pending('https://calendar'))) });
}

/** Operations and attestations without messages, which follow from them. */
interface Shape {
  readonly attestations: readonly Attestation[];
  readonly branches: readonly (readonly [Operation, Shape])[];
}

const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
/** Those that the library can compute: it has no keccak256, and its hexlify gives nothing. */
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ name: fc.constantFrom('append' as const, 'prepend' as const), argument: bytes }),
  fc.record({ name: fc.constantFrom('reverse' as const, 'sha1' as const, 'ripemd160' as const, 'sha256' as const) }),
);
const height = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const attestation: fc.Arbitrary<Attestation> = fc.oneof(
  fc.record({ kind: fc.constant('pending' as const), uri: fc.stringMatching(/^[A-Za-z0-9._/:-]{0,40}$/) }),
  fc.record({ kind: fc.constantFrom('bitcoin' as const, 'litecoin' as const), height }),
  fc.record({ kind: fc.constant('unknown' as const), tag: fc.constant(new Uint8Array(8).fill(7)), payload: bytes }),
);
const attestations = fc.uniqueArray(attestation, { maxLength: 3, selector: (one) => JSON.stringify(one) });
const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 6 },
    attestations.map((some) => ({ attestations: some.length === 0 ? [pending('')] : some, branches: [] })),
    fc.record({
      attestations,
      branches: fc.uniqueArray(fc.tuple(operation, tie('shape')), {
        minLength: 1,
        maxLength: 3,
        selector: ([one]) => JSON.stringify(one),
      }),
    }),
  ),
}));

function grow(message: Uint8Array, { attestations, branches }: Shape): Timestamp {
  return {
    message,
    attestations,
    branches: branches.map(([step, below]) => ({ operation: step, timestamp: grow(apply(step, message), below) })),
  };
}

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

describe('reading and writing', () => {
  it('gives back what was written, whatever the order of its parts', () => {
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

  it.each([
    ['hexlify', Buffer.from(toHex(subject))],
    ['reverse', Buffer.from(subject).reverse()],
    ['keccak256', Buffer.from(toHex(subject).slice(0, 0))],
  ] as const)('knows %s', (name, result) => {
    const [found] = commitments(readDetached(file({ name })).timestamp);
    if (name === 'keccak256') expect(found?.message).toHaveLength(32);
    else expect(found?.message).toEqual(new Uint8Array(result));
  });

  it('hashes with Keccak-256 and not with SHA3-256', () => {
    // The hash of nothing, which Ethereum shows in every account without code.
    const none = apply({ name: 'keccak256' }, new Uint8Array());
    expect(toHex(none)).toBe('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
  });

  it('keeps attestations of kinds that it does not know', () => {
    const unknown: Attestation = { kind: 'unknown', tag: new Uint8Array(8).fill(1), payload: new Uint8Array(300) };
    const written = writeTimestamp(attested(unknown, { kind: 'ethereum', height: 2 ** 34 })(subject));
    expect(readTimestamp(written, subject).attestations).toHaveLength(2);
    expect(readTimestamp(written, subject).attestations).toContainEqual(unknown);
  });

  it('does not write what could not be read', () => {
    expect(() => writeTimestamp({ message: subject, attestations: [], branches: [] })).toThrow(Unreadable);
    expect(() => file(append(''))).toThrow(Unreadable);
    expect(() => writeTimestamp(attested(pending('https://a?b'))(subject))).toThrow('a character that is not allowed');
    expect(() => writeTimestamp(attested(pending('a'.repeat(1001)))(subject))).toThrow('0 to 1000 are allowed');
    expect(() => writeTimestamp(attested(bitcoin(2 ** 35))(subject))).toThrow(RangeError);
  });
});

describe('merging', () => {
  const near = path(subject, [append('near'), hash], attested(pending('https://a')));
  const far = path(subject, [append('near'), hash, append('far')], attested(bitcoin(7)));

  it('keeps all and repeats nothing', () => {
    const both = merge(near, far);
    expect(commitments(both).map(({ attestation: { kind } }) => kind)).toEqual(['pending', 'bitcoin']);
    expect(merge(both, both)).toEqual(both);
    expect(writeTimestamp(merge(far, near))).toEqual(writeTimestamp(both));
    expect(both.branches).toHaveLength(1);
  });

  it('is refused for different messages', () => {
    expect(() => merge(near, attested(bitcoin(7))(sha256(subject)))).toThrow(RangeError);
  });

  it("puts a calendar's answer into the place of its promise", () => {
    const beside = path(subject, [append('beside')], attested(pending('https://a'), pending('https://b')));
    const before = merge(near, beside);
    const [promised] = commitments(near);
    const answer = path(promised?.message ?? subject, [append('x'), hash], attested(bitcoin(8)));
    const after = fulfil(before, 'https://a', answer);
    expect(commitments(after).map((one) => one.attestation)).toEqual([
      bitcoin(8),
      pending('https://a'),
      pending('https://b'),
    ]);
    expect(fulfil(before, 'https://b', answer)).toEqual(before);
    expect(fulfil(before, 'https://a', { ...answer, message: sha256(subject) })).toEqual(before);
  });
});

describe('a hostile file', () => {
  const head = (...rest: number[]) => new Uint8Array([...magic, 1, operationTags.sha256, ...subject, ...rest]);
  const promise = [...file().subarray(65)];

  it.each([
    ['nothing', new Uint8Array(), 'ends within the magic number at byte 0'],
    ['another magic number', new Uint8Array(100), 'the magic number at byte 0'],
    ['another version', file().with(31, 2), 'the major version at byte 31 is 2, not 1'],
    ['another digest', file().with(32, 0x67), 'the type of the digest at byte 32 is unknown: 103'],
    ['no timestamp', head(), 'ends within an item of the timestamp at byte 65'],
    ['only a fork', head(0xff), 'ends within an item behind a fork at byte 66'],
    ['a fork of forks', head(0xff, 0xff, ...promise), 'the operation at byte 66 is unknown: 255'],
    ['an unknown operation', head(0x09, ...promise), 'the operation at byte 65 is unknown: 9'],
    ['an empty argument', head(0xf0, 0, ...promise), 'the argument of append at byte 66 has 0 bytes'],
    ['a long argument', head(0xf0, 0x81, 0x20, ...promise), 'the argument of append at byte 66 has 4097 bytes'],
    ['a length of two forms', head(0xf0, 0x81, 0x00, 1, ...promise), 'at byte 66 is not in its shortest form'],
    ['an endless number', head(0xf0, ...Array(9).fill(0xff)), 'at byte 66 has more than 5 bytes'],
    ['one that is cut off', file().subarray(0, -1), 'ends within the payload of an attestation at byte 75'],
    ['one with more behind it', new Uint8Array([...file(), 0]), '1 bytes follow the timestamp'],
    ['a large one', new Uint8Array(limits.bytes + 1), 'more than 65536 bytes'],
  ])('with %s is refused', (_, hostile, reason) => {
    expect(() => readDetached(hostile)).toThrow(Unreadable);
    expect(() => readDetached(hostile)).toThrow(reason);
  });

  it('with bytes behind what an attestation says is refused', () => {
    const longer = head(0, ...promise.slice(1, 9), (promise[9] ?? 0) + 1, ...promise.slice(10), 0);
    expect(() => readDetached(longer)).toThrow('1 bytes follow the pending attestation');
  });

  it('whose messages double again and again is refused', () => {
    expect(() => file(...Array<Operation>(8).fill({ name: 'hexlify' }))).toThrow('hexlify gives more than 4096 bytes');
  });

  it('may be as deep as the reference allows and no deeper', () => {
    const deep = Array<Operation>(limits.depth - 1).fill(hash);
    expect(commitments(readDetached(file(...deep)).timestamp)).toHaveLength(1);
    expect(() => file(...deep, hash)).toThrow('lies deeper than 256 messages');
  });

  it('costs little time, whichever limit it goes to', () => {
    const long = [0xf0, 0xe0, 0x1f, ...Array(4064).fill(1)];
    const leaf = [0, ...Array(8).fill(3), 0];
    const files = [
      head(
        ...long,
        ...Array(3000)
          .fill([0xff, 0x67, ...leaf])
          .flat(),
      ),
      head(
        ...Array(250).fill(0x67),
        ...Array(5000)
          .fill([0xff, 0x67, ...leaf])
          .flat(),
      ),
      head(
        ...Array(5900)
          .fill([0xff, ...leaf])
          .flat(),
      ),
      head(...Array(4000).fill([0xff, 0x67]).flat()),
      head(...Array(60_000).fill(0xf2)),
      head(...long, ...Array(250).fill(0x67), ...leaf),
    ];
    for (const hostile of files) {
      const times = [1, 2, 3].map(() => {
        const started = performance.now();
        try {
          readDetached(hostile);
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
        return performance.now() - started;
      });
      expect(Math.min(...times)).toBeLessThan(100);
    }
  });

  it('is read or refused, whatever its bytes are', () => {
    const tail = fc.array(fc.oneof(fc.constantFrom(...promise, 0xff, 0, 8, 0xf0, 0xf1, 0xf2, 0xf3), fc.nat(255)), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(tail, (rest) => {
        try {
          const { timestamp }: Detached = readDetached(head(...rest));
          expect(commitments(timestamp).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
