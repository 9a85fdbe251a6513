import { z } from 'zod';
import { rpcBlock } from '../../domain/ethereum/rpc-values.js';

/** The forms of what a node answers. Numbers beyond these bounds are lies or mistakes, and would not fit the tables. */

const hex = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`))
    .transform((text) => text.toLowerCase());

export const hash = hex(32);
export const address = hex(20);
export const data = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase());

/** A whole number of at most 256 bits. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt);
/** A number that is counted, such as that of a block. */
export const count = quantity.refine((value) => value <= BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);
/** The last second of the year 9999. */
const seconds = count.refine((value) => value <= 253_402_300_799);

/** A block without its transactions. */
export interface EthereumBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly receiptsRoot: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly gasLimit: bigint;
  /** The price of a unit of gas that is burnt, in wei; null on chains without EIP-1559. */
  readonly baseFee: bigint | null;
  /** The hashes of its transactions. */
  readonly transactions: readonly string[];
}

export const block: z.ZodType<EthereumBlock> = z
  .object({
    number: count,
    hash,
    parentHash: hash,
    receiptsRoot: hash,
    timestamp: seconds,
    gasLimit: quantity,
    baseFeePerGas: quantity.nullish(),
    transactions: z.array(hash),
  })
  .transform(({ baseFeePerGas, ...rest }) => ({ ...rest, baseFee: baseFeePerGas ?? null }));

/** A block as it is used, and the members of its header as they are hashed. */
export const blockWithHeader = z.preprocess(
  (answer) => ({ block: answer, header: answer }),
  z.object({ block, header: rpcBlock }),
);

/** A transaction in its block. */
export interface EthereumTransaction {
  readonly hash: string;
  readonly from: string;
  readonly nonce: number;
}

/** The transactions of a block. */
export const blockTransactions = z.object({
  number: count,
  transactions: z.array(z.object({ hash, from: address, nonce: count })),
});

export interface EthereumLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** The outcome of a transaction in its block. */
export interface EthereumReceipt {
  readonly txHash: string;
  readonly txIndex: number;
  readonly blockHash: string;
  readonly blockNumber: number;
  readonly from: string;
  /** Null for a transaction that creates a contract. */
  readonly to: string | null;
  readonly contractAddress: string | null;
  readonly succeeded: boolean;
  readonly gasUsed: bigint;
  /** In wei. */
  readonly gasPrice: bigint;
  readonly logs: readonly EthereumLog[];
}

export const receipt: z.ZodType<EthereumReceipt> = z
  .object({
    transactionHash: hash,
    transactionIndex: count,
    blockHash: hash,
    blockNumber: count,
    from: address,
    to: address.nullish(),
    contractAddress: address.nullish(),
    status: z.enum(['0x0', '0x1']),
    gasUsed: quantity,
    effectiveGasPrice: quantity,
    logs: z.array(z.object({ address, topics: z.array(hash).max(4), data })),
  })
  .transform(({ transactionHash, transactionIndex, status, effectiveGasPrice, to, contractAddress, ...rest }) => ({
    ...rest,
    txHash: transactionHash,
    txIndex: transactionIndex,
    to: to ?? null,
    contractAddress: contractAddress ?? null,
    succeeded: status === '0x1',
    gasPrice: effectiveGasPrice,
  }));

/** A receipt among those of a block; null for one of another form. */
export function readReceipt(value: unknown): EthereumReceipt | null {
  return receipt.safeParse(value).data ?? null;
}
