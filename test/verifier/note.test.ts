import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNote, signNote } from '../../src/tlog/note-writer.js';
import { toUtf8 } from '../../src/verifier/bytes.js';
import {
  formatVerifierKey,
  type NoteSignature,
  noteLimits,
  parseNote,
  parseVerifierKey,
  verifierKey,
  verifyNote,
} from '../../src/verifier/note.js';
import { Unreadable } from '../../src/verifier/unreadable.js';

const parse = (note: string) => parseNote(toUtf8(note));

/** A key made from a number, with what signs by it. */
function signerOf(name: string, seed: number) {
  const secret = new Uint8Array(32).fill(seed);
  const publicKey = ed25519.getPublicKey(secret);
  return {
    secret,
    publicKey,
    key: verifierKey(name, 'ed25519', publicKey),
    sign: (message: Uint8Array) => ed25519.sign(message, secret),
  };
}

/** A witness, and its signature line as C2SP tlog-cosignature has it. */
function witnessOf(name: string, seed: number) {
  const { secret, publicKey } = signerOf(name, seed);
  const key = verifierKey(name, 'cosignature/v1', publicKey);
  const cosign = (text: string, time: bigint): NoteSignature => {
    const signature = new Uint8Array(72);
    new DataView(signature.buffer).setBigUint64(0, time);
    signature.set(ed25519.sign(toUtf8(`cosignature/v1\ntime ${time}\n${text}`), secret), 8);
    return { name, keyId: key.id, signature };
  };
  return { key, cosign };
}

const text = 'log.example/1\n5\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
const [log, other, witness] = [
  signerOf('log.example/1', 1),
  signerOf('other.example', 2),
  witnessOf('w.example/w1', 3),
];
const byLog = signNote(text, log);
const byOther = signNote(text, other);
const byWitness = witness.cosign(text, 1_679_315_147n);
const spoil = (line: NoteSignature, at: number): NoteSignature => ({
  ...line,
  signature: line.signature.with(at, (line.signature[at] ?? 0) ^ 1),
});

describe('notes of others', () => {
  // Signed with Go's sumdb: the example of its documentation, and a tree of sum.golang.org.
  const peter =
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
  const sumdb =
    'go.sum database tree\n6476701\nmb8QLQIs0Z0yP5Cstq6guj87oXWeC9gEM8oVikmm9Wk=\n\n' +
    '— sum.golang.org Az3grsLX85Gz+s1SiTbgkuqxgItqFq7gsMUEyVnrsa9LM7Us9S+1xbFIGu95949rj4nPRYfvimWEPWL+o3GeoWwOoAw=\n';
  const keys = [
    'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8',
  ];

  it.each([peter, sumdb])('are verified with their keys, and written as they were read', (note) => {
    const signed = verifyNote(parse(note), keys.map(parseVerifierKey));
    expect(signed).toEqual([{ key: expect.objectContaining({ type: 'ed25519' }), time: null }]);
    expect(formatNote(parse(note))).toEqual(toUtf8(note));
  });

  it('are refused with one letter changed', () => {
    const changed = parse(peter.replace("don't", 'do not'));
    expect(verifyNote(changed, keys.map(parseVerifierKey))).toBe(
      'the signature of PeterNeumann (key c74f20a3) is wrong',
    );
  });
});

describe('verifier keys', () => {
  it('are read as they were written', () => {
    for (const { key } of [log, other, witness]) expect(parseVerifierKey(formatVerifierKey(key))).toEqual(key);
  });

  it('of the two types have different ids', () => {
    expect(verifierKey('a', 'ed25519', log.publicKey).id).not.toBe(
      verifierKey('a', 'cosignature/v1', log.publicKey).id,
    );
  });

  it('are refused with any character changed or missing', () => {
    const written = formatVerifierKey(log.key);
    for (let at = 0; at < written.length; at += 1) {
      const next = String.fromCharCode(written.charCodeAt(at) + 1);
      expect(() => parseVerifierKey(written.slice(0, at) + next + written.slice(at + 1))).toThrow(Unreadable);
      expect(() => parseVerifierKey(written.slice(0, at) + written.slice(at + 1))).toThrow(Unreadable);
    }
  });

  it.each(['', 'a b', 'a+b', 'a\u00a0b', 'a\u3000', 'a\nb'])('are not called %j', (name) => {
    expect(() => verifierKey(name, 'ed25519', log.publicKey)).toThrow(Unreadable);
  });
});

describe('reading a note', () => {
  it('takes the text apart from the lines at the last blank line', () => {
    const note = formatNote({ text: 'a\n\nb\n', signatures: [byLog] });
    expect(parseNote(note)).toEqual({ text: 'a\n\nb\n', signatures: [byLog] });
  });

  it.each([
    '',
    '\n',
    text,
    `${text}\n`,
    `${text}— log.example/1 AAAAAAA=\n`,
    `${text}\n— log.example/1 AAAAAAA=`,
    `${text}\n— log.example/1 AAAAAAA=\n\n`,
    `${text}\n— log.example/1 AAAAAAA=\nb\n`,
    `${text}\n- log.example/1 AAAAAAA=\n`,
    `${text}\n—  log.example/1 AAAAAAA=\n`,
    `${text}\n— log.example/1 AAAAAAA= \n`,
    `${text}\n— log.example/1  AAAAAAA=\n`,
    `${text}\n— log.example/1\n`,
    `${text}\n—  AAAAAAA=\n`,
    `${text}\n— log+example AAAAAAA=\n`,
    `${text}\n— log\u00a0example AAAAAAA=\n`,
    `${text}\n— log.example/1 AAAAAAA\n`,
    `${text}\n— log.example/1 AAAAAAB=\n`,
    `${text}\n— log.example/1 AAAAAA==\n`,
    `a\tb\n\n— log.example/1 AAAAAAA=\n`,
    `a\r\n\r\n— log.example/1 AAAAAAA=\r\n`,
    `a\u0000\n\n— log.example/1 AAAAAAA=\n`,
  ])('refuses %j', (note) => {
    expect(() => parse(note)).toThrow(Unreadable);
  });

  it('refuses what is not UTF-8', () => {
    const note = formatNote({ text: 'abc\n', signatures: [byLog] });
    expect(() => parseNote(note.with(1, 0xff))).toThrow(Unreadable);
  });

  it('refuses more bytes and more signatures than its limits, and no fewer', () => {
    const lines = (count: number) => Array.from({ length: count }, () => byLog);
    expect(parseNote(formatNote({ text, signatures: lines(noteLimits.signatures) })).signatures).toHaveLength(100);
    expect(() => formatNote({ text, signatures: lines(noteLimits.signatures + 1) })).toThrow(Unreadable);
    const rest = formatNote({ text: '\n', signatures: [byLog] }).length;
    const long = `${'a'.repeat(noteLimits.bytes - rest)}\n`;
    expect(parseNote(formatNote({ text: long, signatures: [byLog] })).text).toBe(long);
    expect(() => formatNote({ text: `a${long}`, signatures: [byLog] })).toThrow(Unreadable);
  });

  it('throws nothing but Unreadable, no matter what it is given', () => {
    const pieces = fc.constantFrom('a', '\n', '\n\n', '— ', 'name ', 'AAAAAAA=', ' ', '\u0000', 'é', '+');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const note = parts.join('');
        try {
          expect(formatNote(parse(note))).toEqual(toUtf8(note));
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('writing a note', () => {
  it.each(['', 'a', 'a\n\nb', 'a\n\n— x AAAAAAA=', 'a\r\n', '\ud800\n'])('refuses the text %j', (wrong) => {
    expect(() => formatNote({ text: wrong, signatures: [byLog] })).toThrow();
  });
});

describe('verifying a note', () => {
  const verify = (signatures: readonly NoteSignature[], ...keys: Parameters<typeof verifyNote>[1]) =>
    verifyNote(parseNote(formatNote({ text, signatures })), keys);

  it('names each known key that has signed, with the time of a cosignature', () => {
    const all = verify([byLog, byOther, byWitness], log.key, other.key, witness.key);
    expect(all).toEqual([
      { key: log.key, time: null },
      { key: other.key, time: null },
      { key: witness.key, time: 1_679_315_147 },
    ]);
  });

  it('passes over unknown keys, even of the same name or the same id', () => {
    const sameName = { ...byLog, keyId: '00000000' };
    const sameId = { ...byLog, name: 'log.example/2' };
    expect(verify([sameName, sameId, spoil(byOther, 0), byLog], log.key)).toEqual([{ key: log.key, time: null }]);
    expect(verify([sameName, sameId, byOther], log.key)).toBe('no known key has signed the note');
    expect(verify([byLog])).toBe('no known key has signed the note');
  });

  it('refuses the whole note for one wrong signature of a known key', () => {
    for (const at of [0, 31, 32, 63]) expect(verify([spoil(byLog, at)], log.key)).toEqual(expect.any(String));
    expect(verify([byLog, spoil(byOther, 5)], log.key, other.key)).toMatch('other.example');
    expect(verify([byLog, spoil(byLog, 5)], log.key)).toMatch('log.example/1');
    expect(verify([{ ...byLog, signature: byOther.signature }], log.key)).toEqual(expect.any(String));
    expect(verify([{ ...byLog, signature: byLog.signature.subarray(1) }], log.key)).toEqual(expect.any(String));
    expect(verify([signNote('another text\n', log)], log.key)).toEqual(expect.any(String));
  });

  it('counts a key once, however many lines it has signed', () => {
    const later = witness.cosign(text, 1_700_000_000n);
    expect(verify([byLog, byLog, byWitness, later], log.key, log.key, witness.key)).toEqual([
      { key: log.key, time: null },
      { key: witness.key, time: 1_679_315_147 },
    ]);
  });

  it('tries every key of the name and the id', () => {
    const collision = { ...other.key, name: log.key.name, id: log.key.id };
    expect(verify([byLog], collision, log.key)).toEqual([{ key: log.key, time: null }]);
  });

  it('binds a cosignature to its time and its type', () => {
    expect(verify([spoil(byWitness, 7)], witness.key)).toEqual(expect.any(String));
    expect(verify([witness.cosign(text, 2n ** 63n)], witness.key)).toEqual(expect.any(String));
    expect(verify([{ ...byWitness, signature: byWitness.signature.subarray(8) }], witness.key)).toMatch('w.example');
    expect(verify([{ ...byWitness, signature: byWitness.signature.subarray(0, 7) }], witness.key)).toMatch('w.example');
    expect(verify([witness.cosign(text, 0n)], witness.key)).toEqual([{ key: witness.key, time: 0 }]);
  });

  it('takes no key of small order, which would have signed everything', () => {
    const neutral = verifierKey('log.example/1', 'ed25519', new Uint8Array(32).with(0, 1));
    const signature = new Uint8Array(64).with(0, 1);
    const line = { name: neutral.name, keyId: neutral.id, signature };
    expect(verify([line], neutral)).toEqual(expect.any(String));
  });
});
