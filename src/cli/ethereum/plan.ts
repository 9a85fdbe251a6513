import type { EthereumSigner, UnsignedTransaction } from '../../adapters/ethereum/account.js';
import { type AnchorContract, addressOfCreation } from '../../adapters/ethereum/anchor-contract.js';
import type { EthereumNode } from '../../adapters/ethereum/node.js';
import { compareCode } from '../../domain/ethereum/anchor-contract.js';
import { CannotStart } from '../start-faults.js';
import { answered } from './node-answers.js';
import { ether, gwei } from './units.js';

/** The chain, the account that pays, and the contract that is created. */
export interface Payer {
  readonly node: EthereumNode;
  readonly signer: EthereumSigner;
  readonly contract: AnchorContract;
  readonly chainId: number;
  /** The highest price of a unit of gas, in wei. */
  readonly maxFeeWei: bigint;
  /** The highest price above the base fee, in wei. */
  readonly maxTipWei: bigint;
}

/** The earlier deployments of the account, as far as they can be read from the chain. */
export interface Earlier {
  /** A contract of this version that the account created; null when none was found. */
  readonly deployed: string | null;
  /** The addresses that its transactions that no block holds would give a contract, if they create one. */
  readonly waiting: readonly string[];
  /** The nonce of its next transaction. */
  readonly nonce: number;
}

export interface Plan {
  readonly transaction: UnsignedTransaction;
  /** The address of the contract. */
  readonly address: string;
  readonly balance: bigint;
  /** The cost at present prices, and the most that it can be. */
  readonly cost: bigint;
  readonly most: bigint;
  readonly gas: bigint;
  readonly price: bigint;
}

const nothingSent = 'Nothing was sent.';
/** Deployments are looked for among the first and among the newest transactions of the account. */
const lookedAt = 16;
const shownWaiting = 8;
/** The gas that the deployment uses. With less, which a wrong node may estimate, it would fail and its cost be lost. */
const leastGas = 232_270n;

/** Finds earlier deployments, so that a repeated command does not pay again without a question. @throws CannotStart */
export async function findEarlier({ node, signer, contract }: Payer): Promise<Earlier> {
  const count = (at: 'latest' | 'pending') => answered(node.transactionCount(signer.address, at), nothingSent);
  const [mined, pending] = [await count('latest'), await count('pending')];
  const nonces = new Set(
    Array.from({ length: lookedAt }, (_, n) => [n, mined - 1 - n])
      .flat()
      .filter((nonce) => nonce >= 0 && nonce < mined),
  );
  let deployed: string | null = null;
  for (const nonce of nonces) {
    const address = addressOfCreation(signer.address, nonce);
    const code = await answered(node.code(address), nothingSent);
    if (compareCode(code, contract.deployedBytecode) !== 'the contract') continue;
    deployed = address;
    break;
  }
  const length = Math.min(Math.max(pending - mined, 0), shownWaiting);
  const waiting = Array.from({ length }, (_, n) => addressOfCreation(signer.address, mined + n));
  return { deployed, waiting, nonce: Math.max(mined, pending) };
}

/** Computes the transaction and its cost. @throws CannotStart when the price is too high or the account has too little */
export async function planDeployment(payer: Payer, nonce: number): Promise<Plan> {
  const { node, signer, contract, chainId, maxFeeWei, maxTipWei } = payer;
  const latest = await answered(node.block('latest'), nothingSent);
  const baseFee = latest?.baseFee;
  if (baseFee === undefined || baseFee === null) {
    throw new CannotStart(
      `The blocks of chain ${chainId} have no base fee (EIP-1559), which is needed. ${nothingSent}`,
    );
  }
  const named = await answered(node.priorityFee(), nothingSent);
  const tip = named < maxTipWei ? named : maxTipWei;
  const price = baseFee + tip;
  if (price > maxFeeWei) {
    throw new CannotStart(
      `Gas costs ${gwei(price)} at present, more than ETH_MAX_FEE_GWEI permits (${gwei(maxFeeWei)}). ` +
        `Wait for a lower price, or raise the setting. ${nothingSent}`,
    );
  }
  const creation = { to: null, data: contract.bytecode };
  const estimate = await answered(node.estimateGas(creation), nothingSent);
  const gas = estimate > leastGas ? estimate : leastGas;
  // The base fee can double until the transaction is in a block.
  const doubled = 2n * baseFee + tip;
  const maxFeePerGas = doubled < maxFeeWei ? doubled : maxFeeWei;
  const gasLimit = (gas * 6n) / 5n;
  const most = gasLimit * maxFeePerGas;
  const balance = await answered(node.balance(signer.address), nothingSent);
  if (balance < most) {
    throw new CannotStart(
      `The account ${signer.address} has ${ether(balance)}, and the deployment may cost up to ${ether(most)}: ` +
        `send it at least ${ether(most - balance)} on chain ${chainId}. ${nothingSent}`,
    );
  }
  return {
    transaction: { ...creation, chainId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas: tip },
    address: addressOfCreation(signer.address, nonce),
    balance,
    cost: gas * price,
    most,
    gas,
    price,
  };
}
