import { createCipheriv, createHash } from 'node:crypto';
import { pdfOf, type Stream } from '../../import/pdf.js';
import { type PdfCase, refused, words } from './pdf-case.js';
import { lines } from './pdf-draw.js';
import { createDraft, type Draft } from './pdf-writer.js';

/** What stands behind a password that is shorter than 32 bytes (ISO 32000-1, algorithm 2). */
const padding = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');
const id = Buffer.alloc(16, 7);
const permissions = -4;

const md5 = (...parts: readonly Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest();
const padded = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);

/** RC4, which the cryptography of Node no longer has. PDFs are still encrypted with it. */
function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, n) => n);
  const value = (at: number) => state[at & 255] ?? 0;
  const swap = (a: number, b: number) => {
    const kept = value(a);
    state[a & 255] = value(b);
    state[b & 255] = kept;
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + value(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let j = 0;
  return Buffer.from(
    bytes.map((byte, n) => {
      const i = n + 1;
      j = (j + value(i)) & 255;
      swap(i, j);
      return byte ^ value(value(i) + value(j));
    }),
  );
}

/** The same key again and again, each time with all of its bytes changed. */
function rc4Twenty(key: Uint8Array, bytes: Uint8Array): Buffer {
  let made: Buffer = Buffer.from(bytes);
  for (let n = 0; n < 20; n += 1)
    made = rc4(
      key.map((byte) => byte ^ n),
      made,
    );
  return made;
}

function md5FiftyTimes(first: Buffer): Buffer {
  let made = first;
  for (let n = 0; n < 50; n += 1) made = md5(made);
  return made;
}

/** The keys of a file with these passwords (ISO 32000-1, algorithms 2, 3 and 5). */
function keysOf(user: string, owner: string) {
  const o = rc4Twenty(md5FiftyTimes(md5(padded(owner))), padded(user));
  const p = Buffer.alloc(4);
  p.writeInt32LE(permissions);
  const key = md5FiftyTimes(md5(padded(user), o, p, id));
  const u = Buffer.concat([rc4Twenty(key, md5(padding, id)), Buffer.alloc(16)]);
  return { key, o, u };
}

function keyOfObject(key: Buffer, number: number, salt = ''): Buffer {
  const place = Buffer.from([number & 255, number >> 8, 0, 0, 0]);
  return md5(key, place, Buffer.from(salt));
}

/** Encrypts the streams of a file. It must have no texts outside of streams. */
function encrypted(draft: Draft, user: string, owner: string): Buffer {
  const { key, o, u } = keysOf(user, owner);
  const objects = draft.objects().map((object, at) => {
    if (typeof object === 'string') return object;
    return { ...object, bytes: rc4(keyOfObject(key, at + 1), object.bytes) };
  });
  return withKeys(objects, `/V 2 /R 3 /Length 128 ${hashes(o, u)}`);
}

const hashes = (o: Buffer, u: Buffer) => `/P ${permissions} /O <${o.toString('hex')}> /U <${u.toString('hex')}>`;

function withKeys(objects: readonly (string | Stream)[], how: string): Buffer {
  const hex = id.toString('hex');
  return pdfOf(objects, `/Encrypt << /Filter /Standard ${how} >> /ID [<${hex}> <${hex}>]`);
}

/** Only the attached file is encrypted; the pages can be read without the password. */
function attachment(said: readonly string[]): Buffer {
  const draft = createDraft();
  draft.page(lines(72, 700, said));
  const { key, o, u } = keysOf('open', 'all');
  const number = draft.objects().length + 1;
  const vector = Buffer.alloc(16, 9);
  const cipher = createCipheriv('aes-128-cbc', keyOfObject(key, number, 'sAlT'), vector);
  const bytes = Buffer.concat([vector, cipher.update('the secret of the attachment'), cipher.final()]);
  const file = draft.add({ dictionary: '/Type /EmbeddedFile', bytes });
  const about = draft.add(`<< /Type /Filespec /F (a.txt) /UF (a.txt) /EF << /F ${file} >> >>`);
  return withKeys(
    draft.objects(`/Names << /EmbeddedFiles << /Names [(a.txt) ${about}] >> >>`),
    `/V 4 /R 4 /Length 128 /CF << /StdCF << /AuthEvent /EFOpen /CFM /AESV2 /Length 16 >> >> /StmF /Identity /StrF /Identity /EFF /StdCF ${hashes(o, u)}`,
  );
}

export function encryptions(): PdfCase[] {
  const said = ['The lantern of the harbour', 'burns through the night.'];
  const draft = createDraft();
  draft.page(lines(72, 700, said));
  return [
    words('encrypted-attachment', attachment(said), said.join('\n')),
    words('encrypted-for-owner', encrypted(draft, '', 'owner'), said.join('\n')),
    refused('encrypted-for-user', encrypted(draft, 'open', 'owner'), 'unreadable_pdf'),
  ];
}
