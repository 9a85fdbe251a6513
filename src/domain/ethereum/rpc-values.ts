import { z } from 'zod';

/** Thrown when the answers of a node of Ethereum are not true, or cannot be proved. The message is a sentence. */
export class NotProvable extends Error {}

const digits = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
const data = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .transform(digits);
/** As JSON-RPC writes numbers: hex without zeros before it. */
const quantity = z
  .string()
  .regex(/^0x(0|[1-9a-f][0-9a-f]{0,63})$/)
  .transform(BigInt);
/** Some nodes write null for what a block does not have. */
const optionalData = data.nullish();
const optionalQuantity = quantity.nullish();

/** The members of a block that are in its header, in the answer of `eth_getBlockByHash`. */
export const rpcBlock = z.object({
  hash: data,
  parentHash: data,
  sha3Uncles: data,
  miner: data,
  stateRoot: data,
  transactionsRoot: data,
  receiptsRoot: data,
  logsBloom: data,
  difficulty: quantity,
  number: quantity,
  gasLimit: quantity,
  gasUsed: quantity,
  timestamp: quantity,
  extraData: data,
  mixHash: data,
  nonce: data,
  baseFeePerGas: optionalQuantity,
  withdrawalsRoot: optionalData,
  blobGasUsed: optionalQuantity,
  excessBlobGas: optionalQuantity,
  parentBeaconBlockRoot: optionalData,
  requestsHash: optionalData,
});
export type RpcBlock = z.output<typeof rpcBlock>;

/** The members of a receipt that are hashed, in the answer of `eth_getBlockReceipts`. */
export const rpcReceipt = z.object({
  type: optionalQuantity,
  transactionIndex: quantity,
  status: optionalQuantity,
  root: optionalData,
  cumulativeGasUsed: quantity,
  logsBloom: data,
  logs: z.array(z.object({ address: data, topics: z.array(data), data })),
  depositNonce: optionalQuantity,
  depositReceiptVersion: optionalQuantity,
});
export type RpcReceipt = z.output<typeof rpcReceipt>;

/** @throws NotProvable for a value of another form */
export function readRpc<T>(form: z.ZodType<T>, value: unknown, what: string): T {
  const read = form.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new NotProvable(`The node of Ethereum gave ${what} that cannot be read: ${issue?.path.join('.')} is wrong.`);
}
