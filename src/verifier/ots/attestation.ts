import { concat, equal, fromHex, fromUtf8, toUtf8 } from '../bytes.js';
import { Unreadable } from '../unreadable.js';
import { type Cursor, cursor, varuint } from './cursor.js';

/** A statement about when a message existed. */
export type Attestation =
  /** A calendar at this address has promised an attestation, which must be fetched later. */
  | { readonly kind: 'pending'; readonly uri: string }
  /** The message is the Merkle root of the block of this height. */
  | { readonly kind: Chain; readonly height: number }
  /** A kind that this reader does not know, with its tag of 8 bytes. */
  | { readonly kind: 'unknown'; readonly tag: Uint8Array; readonly payload: Uint8Array };

type Chain = 'bitcoin' | 'litecoin' | 'ethereum';

const tagLength = 8;
const tags = {
  pending: fromHex('83dfe30d2ef90c8e'),
  bitcoin: fromHex('0588960d73d71901'),
  litecoin: fromHex('06869a0d73d71b45'),
  ethereum: fromHex('30fe8087b5c7ead7'),
};
const chains = ['bitcoin', 'litecoin', 'ethereum'] as const;

const maxPayload = 8192;
const maxUri = 1000;
/** No query, fragment, percent sign, user name or IPv6 address, so that the address cannot disguise another one. */
const uriForm = /^[A-Za-z0-9._/:-]*$/;

/** Reads an attestation after its zero byte. @throws Unreadable */
export function readAttestation(file: Cursor): Attestation {
  const tag = file.bytes(tagLength, 'the tag of an attestation');
  const payload = file.varbytes(0, maxPayload, 'the payload of an attestation');
  const inside = cursor(payload, file.offset() - payload.length);
  const attestation = readPayload(tag, inside);
  if (!attestation) return { kind: 'unknown', tag: tag.slice(), payload: payload.slice() };
  inside.end(`the ${attestation.kind} attestation`);
  return attestation;
}

function readPayload(tag: Uint8Array, inside: Cursor): Attestation | undefined {
  if (equal(tag, tags.pending)) {
    const at = inside.offset();
    const uri = inside.varbytes(0, maxUri, "a calendar's address");
    return { kind: 'pending', uri: checkedUri(uri, at) };
  }
  const kind = chains.find((chain) => equal(tag, tags[chain]));
  return kind && { kind, height: inside.varuint('a block height') };
}

function checkedUri(bytes: Uint8Array, at: number): string {
  const uri = bytes.every((byte) => byte < 0x80) ? fromUtf8(bytes) : undefined;
  if (uri === undefined || !uriForm.test(uri)) {
    throw new Unreadable(`a calendar's address at byte ${at} has a character that is not allowed`);
  }
  return uri;
}

/** The inverse of `readAttestation`. */
export function attestationBytes(attestation: Attestation): Uint8Array {
  const payload = payloadOf(attestation);
  return concat(tagOf(attestation), varuint(payload.length), payload);
}

export function tagOf(attestation: Attestation): Uint8Array {
  return attestation.kind === 'unknown' ? attestation.tag : tags[attestation.kind];
}

function payloadOf(attestation: Attestation): Uint8Array {
  switch (attestation.kind) {
    case 'pending': {
      const uri = toUtf8(attestation.uri);
      return concat(varuint(uri.length), uri);
    }
    case 'unknown':
      return attestation.payload;
    default:
      return varuint(attestation.height);
  }
}

export function sameAttestation(a: Attestation, b: Attestation): boolean {
  return equal(attestationBytes(a), attestationBytes(b));
}
