import { z } from 'zod';
import { type EthereumAccount, ethereumSettings, readEthereumAccount } from '../../settings/ethereum.js';
import { readGiven } from '../../settings/rules.js';
import { WrongSetting } from '../../settings/wrong-setting.js';
import { loadDotEnv } from '../settings.js';

const { ETH_RPC_URL, ETH_CHAIN_ID, ETH_PRIVATE_KEY_FILE, ETH_MAX_FEE_GWEI, ETH_MAX_TIP_GWEI } = ethereumSettings;
const ofNode = z.object({ ETH_RPC_URL, ETH_CHAIN_ID });
const ofAccount = z.object({ ETH_RPC_URL, ETH_CHAIN_ID, ETH_PRIVATE_KEY_FILE, ETH_MAX_FEE_GWEI, ETH_MAX_TIP_GWEI });

/** The settings of a command that sends a transaction. The service needs more: the address of the contract. */
interface PayerSettings extends EthereumAccount {
  readonly keyFile: string;
  readonly maxFeeWei: bigint;
  readonly maxTipWei: bigint;
}

/** @throws WrongSetting */
export function readPayer(): PayerSettings {
  loadDotEnv();
  const set = readGiven(ofAccount, process.env);
  const account = readEthereumAccount(set);
  const { ETH_PRIVATE_KEY_FILE: keyFile = '', ETH_MAX_FEE_GWEI: maxFeeWei, ETH_MAX_TIP_GWEI: maxTipWei } = set;
  return { ...account, keyFile, maxFeeWei, maxTipWei };
}

/** The settings of a command that only reads. @throws WrongSetting */
export function readReader(): { readonly rpcUrl: string; readonly chainId: number | undefined } {
  loadDotEnv();
  const { ETH_RPC_URL: rpcUrl, ETH_CHAIN_ID: chainId } = readGiven(ofNode, process.env);
  if (rpcUrl === undefined) throw new WrongSetting('ETH_RPC_URL is missing: set it to the address of a node.');
  return { rpcUrl, chainId };
}
