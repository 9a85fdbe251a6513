import { fromHex } from '../../verifier/bytes.js';
import { readAddress } from '../../verifier/ethereum/part.js';
import { readBlockList } from '../../verifier/ethereum/trusted-blocks.js';
import type { VerifierKey } from '../../verifier/note.js';
import { parseTrustedKey } from '../../verifier/trusted-keys.js';
import { Unreadable } from '../../verifier/unreadable.js';
import { type Policy, readPolicy } from '../../verifier/witnesses/policy.js';

/** An input of the reader as far as it can be read, and a sentence for the rest. */
interface Read<T> {
  readonly value: T;
  readonly fault: string;
}

/** Verifier keys, one a line. A line that cannot be read is skipped and reported. */
export function readKeys(text: string): Read<readonly VerifierKey[]> {
  const keys: VerifierKey[] = [];
  const faults: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      keys.push(parseTrustedKey(line.trim()));
    } catch (error) {
      faults.push(`Line ${index + 1} is not used: ${reason(error)}.`);
    }
  }
  return { value: keys, fault: faults.join(' ') };
}

/** The hash of the receipt that the reader has kept; undefined for none. */
export function readReceiptHash(text: string): Read<string | undefined> {
  const hash = text.trim().toLowerCase();
  if (hash === '') return { value: undefined, fault: '' };
  if (/^[0-9a-f]{64}$/.test(hash)) return { value: hash, fault: '' };
  return { value: undefined, fault: 'It is not used: a receipt hash has 64 hexadecimal digits.' };
}

/** Blocks of Ethereum, one a line. They are used together or not at all. */
export function readBlocks(text: string): Read<ReadonlySet<string> | undefined> {
  if (text.trim() === '') return { value: undefined, fault: '' };
  try {
    return { value: readBlockList(text), fault: '' };
  } catch (error) {
    return { value: undefined, fault: `They are not used: ${reason(error)}.` };
  }
}

/** The address of a contract on Ethereum; undefined for none. */
export function readContract(text: string): Read<Uint8Array | undefined> {
  if (text.trim() === '') return { value: undefined, fault: '' };
  try {
    return { value: readAddress(text.trim()), fault: '' };
  } catch (error) {
    return { value: undefined, fault: `It is not used: ${reason(error)}.` };
  }
}

/**
 * A policy of witnesses, or a list of their verifier keys with a number of them that must have signed.
 * @param quorum empty where the policy says it
 */
export function readWitnesses(text: string, quorum: string): Read<Policy | undefined> {
  if (text.trim() === '') return { value: undefined, fault: '' };
  const number = quorum.trim();
  try {
    if (!/^([1-9][0-9]{0,2})?$/.test(number)) throw new Unreadable('the quorum is a number from 1 on');
    return { value: readPolicy(text, number === '' ? null : Number(number)), fault: '' };
  } catch (error) {
    return { value: undefined, fault: `It is not used: ${reason(error)}.` };
  }
}

export type Headers = ReadonlyMap<number, Uint8Array>;

/**
 * Block headers: a JSON object of height → 80 bytes in hex.
 * @throws Unreadable
 */
export function readHeaders(text: string): Headers {
  const headers = new Map<number, Uint8Array>();
  for (const [height, header] of Object.entries(readObject(text))) {
    if (!/^(0|[1-9][0-9]{0,8})$/.test(height)) throw new Unreadable(`“${height.slice(0, 40)}” is no block height`);
    if (typeof header !== 'string' || !/^[0-9a-fA-F]{160}$/.test(header)) {
      throw new Unreadable(`the header of block ${height} is not 80 bytes in hex`);
    }
    headers.set(Number(height), fromHex(header.toLowerCase()));
  }
  if (headers.size === 0) throw new Unreadable('there is no header in it');
  return headers;
}

function readObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Unreadable('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Unreadable('it is no JSON object');
  return value;
}

/**
 * Why something cannot be read, without a full stop. An error that is not `Unreadable` is a fault of the page, and is reported
 * as one: a reader must not believe that it describes the bundle.
 */
export function reason(error: unknown): string {
  if (error instanceof Unreadable) return error.message.replace(/\.$/, '');
  return `this page has a fault (${String(error)})`;
}
