import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../src/verifier/bytes.js';
import type { Attestation } from '../../src/verifier/ots/attestation.js';
import { apply, type Operation, operationTags } from '../../src/verifier/ots/operation.js';
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

describe('reading and writing', () => {
  it.each([
    ['sha1', '', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['ripemd160', '', '9c1185a5c5e9fc54612808977ee8f548b2258d31'],
    ['sha256', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    // As Ethereum has it: SHA3-256 came later and pads otherwise.
    ['keccak256', '', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['reverse', '010203', '030201'],
    ['hexlify', '01af', '30316166'],
  ] as const)('knows %s', (name, message, result) => {
    expect(toHex(apply({ name }, fromHex(message)))).toBe(result);
    expect(commitments(readDetached(file({ name })).timestamp)[0]?.message).toEqual(apply({ name }, subject));
  });

  it('keeps nothing of the bytes that it has read', () => {
    const source = Buffer.from(file(append('x'), hash));
    const read = readDetached(source);
    source.fill(0);
    expect(writeDetached(read)).toEqual(file(append('x'), hash));
  });

  it('allows no message become empty', () => {
    for (const name of ['reverse', 'hexlify'] as const) {
      expect(() => apply({ name }, new Uint8Array())).toThrow('of an empty message');
    }
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

  it("puts a calendar's answer instead of its promise", () => {
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
    ['only a fork', head(0xff), 'ends within an item after a fork at byte 66'],
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

  it('costs little time, no matter which limit it goes to', () => {
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
      // Time of the processor and not of the clock: other tests run at the same time. A cost that grows with the square of the
      // size takes seconds here.
      const times = [1, 2, 3].map(() => {
        const started = process.cpuUsage();
        try {
          readDetached(hostile);
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
        return process.cpuUsage(started).user / 1000;
      });
      expect(Math.min(...times)).toBeLessThan(500);
    }
  });

  it('is read or refused, no matter what its bytes are', () => {
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
