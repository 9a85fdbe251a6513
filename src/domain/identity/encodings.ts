const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const base32Alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Base58 is worked out as one large number, which takes quadratic time. Keys have 48 characters. */
const maxBase58 = 128;

/** Base64url without padding, and without bits behind the end (RFC 4648 §5), so that bytes have one writing. */
export function fromBase64Url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

/** Base64 with padding (RFC 4648 §4), as PEM has it. */
export function fromBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/** Pairs of digits of either case. */
export function fromHex(text: string): Uint8Array | null {
  return /^(?:[0-9a-fA-F]{2})*$/.test(text) ? Buffer.from(text, 'hex') : null;
}

/** Base58 with the alphabet of Bitcoin. Each leading zero byte is the digit 1. */
export function toBase58(bytes: Uint8Array): string {
  let number = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  for (; number > 0n; number /= 58n) digits = base58Alphabet.charAt(Number(number % 58n)) + digits;
  return '1'.repeat(leading(bytes, 0)) + digits;
}

export function fromBase58(text: string): Uint8Array | null {
  if (text.length > maxBase58) return null;
  const digits = Array.from(text, (digit) => base58Alphabet.indexOf(digit));
  if (digits.includes(-1)) return null;
  const number = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n);
  const hex = number === 0n ? '' : number.toString(16);
  return Buffer.from('00'.repeat(leading(digits, 0)) + (hex.length % 2 === 0 ? hex : `0${hex}`), 'hex');
}

/** Lowercase base32 without padding (RFC 4648 §6). */
export function toBase32(bytes: Uint8Array): string {
  let [text, held, bits] = ['', 0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += base32Alphabet.charAt((held >> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + base32Alphabet.charAt((held << (5 - bits)) & 31);
}

function leading(values: ArrayLike<number>, wanted: number): number {
  let count = 0;
  while (count < values.length && values[count] === wanted) count += 1;
  return count;
}
