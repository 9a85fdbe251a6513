import type { SignedTransaction } from '../../adapters/ethereum/account.js';
import { type EthereumNode, type EthereumReceipt, NodeFailed } from '../../adapters/ethereum/node.js';
import { CannotStart } from '../start-faults.js';

export interface Waiting {
  readonly node: EthereumNode;
  /** Waits between two questions to the node. */
  pause(ms: number): Promise<void>;
  /** Shows how long it has waited. */
  progress(text: string): void;
}

const pauseMs = 2_000;
const progressEveryMs = 15_000;
/** A node forgets transactions when it restarts or its pool is full. */
const sendEveryMs = 30_000;
const patienceMs = 600_000;
/** A node that lags may show the new count before the receipt. */
const sightings = 3;

/**
 * Hands a transaction to the node. When the answer is lost, the node may have it, and the wait for its receipt finds out.
 * @returns why the node refuses it; null when it was accepted or may have been
 */
export async function send(node: EthereumNode, { raw }: SignedTransaction): Promise<string | null> {
  try {
    await node.send(raw);
    return null;
  } catch (error) {
    if (!(error instanceof NodeFailed)) throw error;
    return error.fault === 'unavailable' || error.fault === 'already known' ? null : error.message;
  }
}

/**
 * Waits until a block holds the transaction, and sends the same bytes again meanwhile.
 * @throws CannotStart when another transaction has taken its nonce, or none of the blocks of ten minutes holds it
 */
export async function waitForReceipt(
  { node, pause, progress }: Waiting,
  signed: SignedTransaction,
  from: string,
  nonce: number,
): Promise<EthereumReceipt> {
  let taken = 0;
  let answers = true;
  for (let waited = 0; waited < patienceMs; waited += pauseMs) {
    try {
      const receipt = await node.receipt(signed.hash);
      if (receipt !== null) return receipt;
      taken = (await node.transactionCount(from, 'latest')) > nonce ? taken + 1 : 0;
      answers = true;
    } catch (error) {
      if (!(error instanceof NodeFailed)) throw error;
      answers = false;
    }
    if (taken >= sightings) {
      throw new CannotStart(
        `Another transaction of the account has the number ${nonce}, so this one will never be in a block. ` +
          'Nothing else may use the key. Run the command again.',
      );
    }
    if (waited > 0 && waited % progressEveryMs < pauseMs) {
      progress(`Waiting for a block: ${waited / 1000} s${answers ? '' : '; the node does not answer'}.`);
    }
    if (waited > 0 && waited % sendEveryMs === 0) await send(node, signed);
    await pause(pauseMs);
  }
  throw new CannotStart(
    `No block holds the transaction ${signed.hash} after ${patienceMs / 60_000} minutes. It may still be included. ` +
      'Run the command again later: it looks for the contract first.',
  );
}
