import { Contract, ContractFactory, JsonRpcProvider, NonceManager, Wallet } from 'ethers';
import { readAnchorContract } from '../../src/adapters/ethereum/anchor-contract.js';
import { type Anvil, fundedKeys } from './anvil.js';

/** A connection to a chain of a test. It asks the chain each time and waits for blocks without long pauses. */
export function providerOf(anvil: Anvil): JsonRpcProvider {
  const options = { staticNetwork: true, cacheTimeout: -1, pollingInterval: 20 };
  return new JsonRpcProvider(anvil.url, anvil.chainId, options);
}

/** Puts an anchor contract on a chain that makes a block for each transaction, and returns it with the account that did. */
export async function deployAnchor(anvil: Anvil, key: string = fundedKeys[0]) {
  const provider = providerOf(anvil);
  const signer = new NonceManager(new Wallet(key, provider));
  const { abi, bytecode } = readAnchorContract();
  const deployment = await new ContractFactory(abi, bytecode, signer).deploy();
  await deployment.waitForDeployment();
  const address = await deployment.getAddress();
  return { provider, signer, address, contract: new Contract(address, abi, signer) };
}
