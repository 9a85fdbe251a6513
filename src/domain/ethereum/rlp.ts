/** A value to be encoded: bytes, or a list of values. */
export type RlpValue = Uint8Array | readonly RlpValue[];

const offsets = { string: 0x80, list: 0xc0 };
const longPayload = 56;

/** Recursive Length Prefix. The verifier has the reader of this encoding. */
export function encodeRlp(value: RlpValue): Uint8Array {
  if (value instanceof Uint8Array) {
    const [only = offsets.string] = value;
    return value.length === 1 && only < offsets.string ? value : withLength(offsets.string, value);
  }
  return withLength(offsets.list, Buffer.concat(value.map(encodeRlp)));
}

function withLength(offset: number, payload: Uint8Array): Uint8Array {
  if (payload.length < longPayload) return Buffer.concat([Uint8Array.of(offset + payload.length), payload]);
  const digits = integer(BigInt(payload.length));
  return Buffer.concat([Uint8Array.of(offset + longPayload - 1 + digits.length), digits, payload]);
}

/** An unsigned integer as the bytes that stand for it: without zeros before it, so 0 has none. */
export function integer(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0);
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}
