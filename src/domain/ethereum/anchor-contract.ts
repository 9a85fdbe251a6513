import { keccak_256 } from '@noble/hashes/sha3.js';

/** A checkpoint as the contract that anchors it names it. Hashes are hex with 0x. */
interface AnchorArguments {
  /** SHA-256 of the origin line. */
  readonly origin: string;
  /** Number of leaves. */
  readonly size: number;
  /** SHA-256 of the text of the checkpoint. */
  readonly digest: string;
}

interface AnchorLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

const hashOf = (signature: string) => Buffer.from(keccak_256(Buffer.from(signature, 'ascii'))).toString('hex');
const selector = hashOf('anchor(bytes32,uint64,bytes32)').slice(0, 8);
const event = `0x${hashOf('Anchored(bytes32,bytes32,uint64)')}`;
/** In hex digits. */
const wordLength = 64;

/** The data of the transaction that anchors a checkpoint. */
export function anchorCall({ origin, size, digest }: AnchorArguments): string {
  const words = [origin.slice(2), size.toString(16).padStart(wordLength, '0'), digest.slice(2)];
  return `0x${selector}${words.join('')}`;
}

/** Whether a log is the event that this call emits. Addresses and hashes are in lowercase. */
export function isAnchorLog({ address, topics, data }: AnchorLog, contract: string, call: string): boolean {
  const [origin, size, digest] = [0, 1, 2].map((at) => {
    const from = 2 + selector.length + wordLength * at;
    return `0x${call.slice(from, from + wordLength)}`;
  });
  return address === contract && topics.join() === [event, origin, digest].join() && data === size;
}

/** How the code at an address compares with the contract of this version. */
export type CodeAt = 'the contract' | 'another contract' | 'nothing';

/** Compares code as `eth_getCode` answers it. */
export function compareCode(code: string, expected: string): CodeAt {
  if (code === '0x') return 'nothing';
  return code === expected ? 'the contract' : 'another contract';
}
