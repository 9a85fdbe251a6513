import { Unreadable } from '../unreadable.js';

/**
 * Recursive Length Prefix, the encoding of Ethereum's blocks. An item is a string of bytes or a list of items. Each
 * function reads one level, so how deep it reads is decided by its callers and never by the bytes.
 */
export interface Item {
  readonly isList: boolean;
  /** The bytes of a string, or the encodings of a list's items one after the other. */
  readonly payload: Uint8Array;
}

/** The first bytes of items: a byte below 0x80 is itself a string. */
const first = { shortString: 0x80, longString: 0xb8, shortList: 0xc0, longList: 0xf8 };
/** Items with a shorter payload have no separate length. */
const longPayload = 56;

/**
 * Reads bytes that are exactly one list.
 * @param most the largest number of items
 * @throws Unreadable for anything that is not the only encoding of a list of at most `most` items
 */
export function readList(encoded: Uint8Array, what: string, most: number): Item[] {
  const { item, end } = itemAt(encoded, 0, what);
  if (end !== encoded.length) throw new Unreadable(`${what} is followed by other bytes`);
  return itemsOf(item, what, most);
}

/** Reads the items of a list that is an item itself. @throws Unreadable */
export function itemsOf({ isList, payload }: Item, what: string, most: number): Item[] {
  if (!isList) throw new Unreadable(`${what} is not a list`);
  const items: Item[] = [];
  for (let at = 0; at < payload.length; ) {
    if (items.length === most) throw new Unreadable(`${what} has more than ${most} items`);
    const { item, end } = itemAt(payload, at, what);
    items.push(item);
    at = end;
  }
  return items;
}

/** The bytes of a string. @param length the number of bytes that it must have; any without it @throws Unreadable */
export function stringOf(item: Item | undefined, what: string, length?: number): Uint8Array {
  if (!item || item.isList) throw new Unreadable(`${what} is not a string of bytes`);
  if (length !== undefined && item.payload.length !== length) {
    throw new Unreadable(`${what} does not have ${length} bytes`);
  }
  return item.payload;
}

/** The bytes of an unsigned integer of any size: without zeros before it, so 0 has no bytes. @throws Unreadable */
export function integerOf(item: Item | undefined, what: string): Uint8Array {
  const digits = stringOf(item, what);
  if (digits[0] === 0) throw new Unreadable(`${what} begins with a zero`);
  return digits;
}

/** An integer from 0 to 2^53 - 1. @throws Unreadable */
export function numberOf(item: Item | undefined, what: string): number {
  const digits = integerOf(item, what);
  const value = digits.length > 7 ? Number.NaN : bigEndian(digits);
  if (!Number.isSafeInteger(value)) throw new Unreadable(`${what} is larger than any number that it can be`);
  return value;
}

/** The encoding of an integer from 0 to 2^53 - 1, such as the key of a receipt in its trie. */
export function encodedNumber(value: number): Uint8Array {
  const digits: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  const [only = 0] = digits;
  if (digits.length === 1 && only < first.shortString) return Uint8Array.of(only);
  return Uint8Array.of(first.shortString + digits.length, ...digits);
}

function itemAt(bytes: Uint8Array, at: number, what: string): { item: Item; end: number } {
  const prefix = bytes[at];
  if (prefix === undefined) throw new Unreadable(`${what} has no bytes`);
  if (prefix < first.shortString) return { item: { isList: false, payload: bytes.subarray(at, at + 1) }, end: at + 1 };
  const isList = prefix >= first.shortList;
  const { from, length } = extentOf(bytes, at, prefix, isList, what);
  const end = from + length;
  if (end > bytes.length) throw new Unreadable(`${what} ends within one of its items`);
  const payload = bytes.subarray(from, end);
  const [only = first.shortString] = payload;
  if (!isList && length === 1 && only < first.shortString) {
    throw new Unreadable(`${what} has a byte with a length before it`);
  }
  return { item: { isList, payload }, end };
}

/** Where the payload of an item begins, and its length. */
function extentOf(bytes: Uint8Array, at: number, prefix: number, isList: boolean, what: string) {
  const long = isList ? first.longList : first.longString;
  const short = isList ? first.shortList : first.shortString;
  if (prefix < long) return { from: at + 1, length: prefix - short };
  const from = at + 2 + prefix - long;
  const digits = bytes.subarray(at + 1, from);
  // No input has 2^32 bytes, and a longer length need not be computed to know that it is wrong.
  if (digits.length > 4 || from > bytes.length) throw new Unreadable(`${what} ends within one of its items`);
  const length = bigEndian(digits);
  if (digits[0] === 0 || length < longPayload) {
    throw new Unreadable(`${what} has a length that is not in its shortest form`);
  }
  return { from, length };
}

function bigEndian(digits: Uint8Array): number {
  return digits.reduce((value, digit) => 256 * value + digit, 0);
}
