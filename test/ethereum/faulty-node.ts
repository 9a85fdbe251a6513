import { type EthereumNode, NodeFailed } from '../../src/adapters/ethereum/node.js';
import type { Flavour } from '../faults/faulty-database.js';

/** A node whose call number `at` fails: before it was asked, or after it has answered. */
export function faultyNode(real: EthereumNode, at: number, flavour: Flavour) {
  let calls = 0;
  async function call<T>(work: () => Promise<T>): Promise<T> {
    calls += 1;
    if (calls !== at) return work();
    if (flavour === 'failed but persisted') await work();
    throw new NodeFailed('unavailable', `call ${at} was made to fail`);
  }
  const node: EthereumNode = {
    chainId: () => call(() => real.chainId()),
    block: (block) => call(() => real.block(block)),
    transactions: (block) => call(() => real.transactions(block)),
    receipt: (hash) => call(() => real.receipt(hash)),
    header: (hash) => call(() => real.header(hash)),
    receipts: (hash) => call(() => real.receipts(hash)),
    code: (address) => call(() => real.code(address)),
    call: (request) => call(() => real.call(request)),
    balance: (address) => call(() => real.balance(address)),
    transactionCount: (address, block) => call(() => real.transactionCount(address, block)),
    priorityFee: () => call(() => real.priorityFee()),
    estimateGas: (request) => call(() => real.estimateGas(request)),
    send: (raw) => call(() => real.send(raw)),
  };
  return { node, calls: () => calls };
}
