import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCreateAddress, Interface } from 'ethers';
import { z } from 'zod';
import { packageRoot } from '../../base/package-root.js';

/** The contract that anchors are sent to, as contracts/anchor compiles. */
export interface AnchorContract {
  readonly abi: Interface;
  /** The code of the transaction that creates the contract. */
  readonly bytecode: string;
  /** The code at the address of the contract, in hex as `eth_getCode` answers it. */
  readonly deployedBytecode: string;
}

const hex = z.string().regex(/^0x([0-9a-f]{2})+$/);
const artifact = z.object({ abi: z.array(z.record(z.string(), z.unknown())), bytecode: hex, deployedBytecode: hex });

/** Reads the checked-in result of `npm run contracts`. */
export function readAnchorContract(): AnchorContract {
  const text = readFileSync(join(packageRoot, 'contracts/anchor/CounterfoilAnchor.json'), 'utf8');
  const { abi, bytecode, deployedBytecode } = artifact.parse(JSON.parse(text));
  return { abi: new Interface(JSON.stringify(abi)), bytecode, deployedBytecode };
}

/** The address of the contract that the transaction of an account with this nonce creates. Nothing else decides it. */
export function addressOfCreation(account: string, nonce: number): string {
  return getCreateAddress({ from: account, nonce }).toLowerCase();
}
