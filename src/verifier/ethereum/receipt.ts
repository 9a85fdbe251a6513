import { Unreadable } from '../unreadable.js';
import { type Item, itemsOf, numberOf, readList, stringOf } from './rlp.js';

/** An event that a contract has emitted. */
export interface EventLog {
  /** Of the contract. */
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** The result of a transaction, as its block records it. */
interface TransactionReceipt {
  readonly succeeded: boolean;
  readonly logs: readonly EventLog[];
}

/** Of transactions with a type before the receipt (EIP-2718). The oldest type has none. */
const lastType = 4;
const firstOfList = 0xc0;
const topicsOfLog = 4;

/** @throws Unreadable for bytes that are not a receipt in its only encoding, and for a receipt without a status */
export function readTransactionReceipt(bytes: Uint8Array): TransactionReceipt {
  const [type = 0] = bytes;
  const isTyped = type < firstOfList;
  if (isTyped && (type === 0 || type > lastType)) throw new Unreadable('the receipt is of an unknown type');
  const items = readList(isTyped ? bytes.subarray(1) : bytes, 'the receipt', 4);
  const [status, gas, bloom, logs] = items;
  if (!logs) throw new Unreadable('the receipt has fewer than 4 fields');
  // Blocks before 2017 have the root of a state there.
  const outcome = numberOf(status, 'the status of the receipt');
  if (outcome > 1) throw new Unreadable('the status of the receipt is neither 0 nor 1');
  numberOf(gas, 'the gas of the receipt');
  stringOf(bloom, 'the bloom filter of the receipt', 256);
  const emitted = itemsOf(logs, 'the list of logs', bytes.length);
  return { succeeded: outcome === 1, logs: emitted.map(readLog) };
}

function readLog(item: Item, index: number): EventLog {
  const what = `log ${index} of the receipt`;
  const [address, topics, data] = itemsOf(item, what, 3);
  if (!topics || !data) throw new Unreadable(`${what} has fewer than 3 fields`);
  return {
    address: stringOf(address, `the address of ${what}`, 20),
    topics: itemsOf(topics, `the topics of ${what}`, topicsOfLog).map((topic) =>
      stringOf(topic, `a topic of ${what}`, 32),
    ),
    data: stringOf(data, `the data of ${what}`),
  };
}
