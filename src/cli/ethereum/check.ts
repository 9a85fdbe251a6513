import { readAnchorContract } from '../../adapters/ethereum/anchor-contract.js';
import { openNode } from '../../adapters/ethereum/node.js';
import { type CodeAt, compareCode } from '../../domain/ethereum/anchor-contract.js';
import { readAccount } from '../../domain/identity/ethereum.js';
import { CannotStart, isSentence } from '../start-faults.js';
import { type Terminal, terminal } from '../terminal.js';
import { answered, requireChain } from './node-answers.js';
import { readReader } from './settings.js';

const sentences: Readonly<Record<CodeAt, (address: string, chain: number) => string>> = {
  'the contract': (address, chain) =>
    `The code at ${address} on chain ${chain} is the anchor contract of this version.`,
  'another contract': (address, chain) =>
    `The code at ${address} on chain ${chain} is not the anchor contract of this version: do not use it.`,
  nothing: (address, chain) =>
    `There is no contract at ${address} on chain ${chain}. After a deployment, wait until a block holds the transaction.`,
};

/** Compares the code at an address with the contract. The exit code is 0 when it is the same, 1, or 2 when it cannot look. */
export async function ethereumCheck(
  given: string,
  { out, err }: Pick<Terminal, 'out' | 'err'> = terminal,
): Promise<number> {
  try {
    const address = readAccount(given)?.replace('eip155:', '');
    if (address === undefined) throw new CannotStart(`${given} is not an address: it must be 0x and 40 hex digits.`);
    const { rpcUrl, chainId } = readReader();
    const node = openNode(rpcUrl);
    const meaning = 'Nothing was checked.';
    if (chainId !== undefined) await requireChain(node, chainId, meaning);
    const chain = chainId ?? (await answered(node.chainId(), meaning));
    const found = compareCode(await answered(node.code(address), meaning), readAnchorContract().deployedBytecode);
    out(sentences[found](address, chain));
    return found === 'the contract' ? 0 : 1;
  } catch (error) {
    if (!isSentence(error)) throw error;
    err(`counterfoil: ${error.message}`);
    return 2;
  }
}
