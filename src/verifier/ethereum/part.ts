import { fromHex } from '../bytes.js';
import type { Json, JsonObject } from '../json.js';
import { count, list, text } from '../shape.js';
import { attempt, Unreadable } from '../unreadable.js';

/** Limits of one anchor. A header has about 600 bytes, and a node with a receipt not many more. */
export const ethereumLimits = { nodes: 24, nodeBytes: 32_768 };

/** Where a block of Ethereum is said to hold an anchor, decoded and not checked. */
export interface EthereumPart {
  readonly chainId: number;
  /** 20 bytes. */
  readonly contract: Uint8Array;
  /** The header of the block, as RLP. */
  readonly header: Uint8Array;
  readonly transaction: number;
  /** Counted within the receipt. */
  readonly log: number;
  /** As the value in the trie. */
  readonly receipt: Uint8Array;
  /** The nodes of the trie of receipts, from the root down. */
  readonly proof: readonly Uint8Array[];
}

/** The members of the part in a bundle, beside its type and a later checkpoint. */
export const ethereumMembers = ['chain_id', 'contract', 'header', 'tx_index', 'log_index', 'receipt', 'proof'];

/** @throws Unreadable */
export function readEthereumPart(members: JsonObject, what: string): EthereumPart {
  const { nodes, nodeBytes } = ethereumLimits;
  return {
    chainId: count(members.chain_id, `the chain id of ${what}`),
    contract: readAddress(text(members.contract, `the contract of ${what}`)),
    header: hex(members.header, `the header of ${what}`, nodeBytes),
    transaction: count(members.tx_index, `the transaction index of ${what}`),
    log: count(members.log_index, `the log index of ${what}`),
    receipt: hex(members.receipt, `the receipt of ${what}`, nodeBytes),
    proof: list(members.proof, `the proof of ${what}`, nodes, (node, name) => hex(node, name, nodeBytes)),
  };
}

/** The address of a contract: 40 hex digits of either case after 0x. @throws Unreadable */
export function readAddress(address: string): Uint8Array {
  const [, digits] = /^0x([0-9a-fA-F]{40})$/.exec(address) ?? [];
  if (digits === undefined) throw new Unreadable('the address of a contract is not 0x and 40 hex digits');
  return fromHex(digits.toLowerCase());
}

/** Hex in lowercase, usually with 0x before it, of at most `most` bytes. */
function hex(value: Json | undefined, what: string, most: number): Uint8Array {
  const given = text(value, what);
  const digits = given.startsWith('0x') ? given.slice(2) : given;
  if (digits.length > 2 * most) throw new Unreadable(`${what} has more than ${most} bytes`);
  const read = attempt(() => fromHex(digits));
  if (typeof read === 'string') throw new Unreadable(`${what} is ${read}`);
  return read;
}
