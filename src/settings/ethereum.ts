import { z } from 'zod';
import { isPrivateKey, readAccount } from '../domain/identity/ethereum.js';
import { needs, secretIn } from './rules.js';
import { httpUrl, milliseconds } from './values.js';
import { WrongSetting } from './wrong-setting.js';

/** An account that pays for transactions, and the node that they are sent to. */
export interface EthereumAccount {
  /** The JSON-RPC address of a node. It may contain credentials and must never be logged. */
  readonly rpcUrl: string;
  readonly chainId: number;
  /** `0x` and 64 hex digits. It must never be logged. */
  readonly privateKey: string;
}

/** Anchors of checkpoints in a contract on Ethereum. */
export interface EthereumSetting extends EthereumAccount {
  /** The contract, as `0x` and 40 lowercase hex digits. */
  readonly anchorAddress: string;
  readonly intervalMs: number;
  /** The highest price of a unit of gas, in wei. Above it nothing is sent. */
  readonly maxFeeWei: bigint;
  /** The highest price of a unit of gas above the base fee, in wei. No more is offered, even when the node names more. */
  readonly maxTipWei: bigint;
  readonly maxSpendWeiPerDay: bigint;
  /** A block counts as final under this number of blocks, itself counted, or when the chain finalizes it. */
  readonly confirmations: number | 'finalized';
}

/** Feedback about agents in the registries of ERC-8004, on the chain of the anchors. */
export interface Erc8004Setting {
  /** The registries, as `0x` and 40 lowercase hex digits. */
  readonly identity: string;
  readonly reputation: string;
  /** `0x` and 64 hex digits. It must never be logged. */
  readonly privateKey: string;
  readonly epochMs: number;
  readonly maxSpendWeiPerDay: bigint;
}

const text = z.string().min(1).optional();
const address = z.string().transform(readAddress).optional();
const duration = (longestMs: number, longest: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}[smh]$/, 'must be a number with s, m or h, such as 24h')
    .transform(milliseconds)
    .refine((ms) => ms <= longestMs, `must be at most ${longest}`);
const day = 86_400_000;
const wei = z
  .string()
  .regex(/^\d{1,30}$/, 'must be a whole number of wei')
  .transform(BigInt);
const gwei = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a number of gwei, such as 50 or 0.5')
  .transform(readGwei);
const spendPerDay = 10n ** 16n;

/** The settings of Ethereum, by their names. */
export const ethereumSettings = {
  ETH_RPC_URL: httpUrl.optional(),
  ETH_CHAIN_ID: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional(),
  ETH_PRIVATE_KEY_FILE: text,
  ETH_ANCHOR_ADDRESS: address,
  // A timer of more than 24 days fires at once.
  ETH_ANCHOR_INTERVAL: duration(14 * day, '336h').default(day),
  ETH_MAX_FEE_GWEI: gwei.default(50n * 10n ** 9n),
  ETH_MAX_TIP_GWEI: gwei.default(3n * 10n ** 9n),
  ETH_MAX_SPEND_WEI_PER_DAY: wei.default(spendPerDay),
  ETH_CONFIRMATIONS: z
    .string()
    .regex(/^([1-9]\d{0,3}|finalized)$/, 'must be a number from 1 to 9999, or finalized')
    .transform((given) => (given === 'finalized' ? ('finalized' as const) : Number(given)))
    .default(12),
  ERC8004_IDENTITY: address,
  ERC8004_REPUTATION: address,
  ERC8004_KEY_FILE: text,
  ERC8004_EPOCH: duration(31 * day, '744h').default(day),
  ERC8004_MAX_SPEND_WEI_PER_DAY: wei.default(spendPerDay),
};

type Given = z.output<z.ZodObject<typeof ethereumSettings>>;

const ofAnchors = ['ETH_RPC_URL', 'ETH_CHAIN_ID', 'ETH_PRIVATE_KEY_FILE', 'ETH_ANCHOR_ADDRESS'] as const;
const ofRegistries = ['ERC8004_IDENTITY', 'ERC8004_REPUTATION', 'ERC8004_KEY_FILE'] as const;

/** @throws WrongSetting when only some of the four are set */
export function readEthereum(set: Given): EthereumSetting | undefined {
  const { ETH_ANCHOR_ADDRESS: anchorAddress } = set;
  const missing = ofAnchors.filter((name) => set[name] === undefined);
  if (missing.length === ofAnchors.length) return undefined;
  if (missing.length > 0 || anchorAddress === undefined) {
    throw new WrongSetting(
      `${missing.join(' and ')} missing: anchors on Ethereum need all of ${ofAnchors.join(', ')}.`,
    );
  }
  return {
    ...readEthereumAccount(set),
    anchorAddress,
    intervalMs: set.ETH_ANCHOR_INTERVAL,
    maxFeeWei: set.ETH_MAX_FEE_GWEI,
    maxTipWei: set.ETH_MAX_TIP_GWEI,
    maxSpendWeiPerDay: set.ETH_MAX_SPEND_WEI_PER_DAY,
    confirmations: set.ETH_CONFIRMATIONS,
  };
}

/** The settings of the account alone, with which a contract is deployed that has no address yet. @throws WrongSetting */
export function readEthereumAccount(
  set: Pick<Given, 'ETH_RPC_URL' | 'ETH_CHAIN_ID' | 'ETH_PRIVATE_KEY_FILE'>,
): EthereumAccount {
  const { ETH_RPC_URL: rpcUrl, ETH_CHAIN_ID: chainId, ETH_PRIVATE_KEY_FILE: keyFile } = set;
  if (rpcUrl === undefined || chainId === undefined || keyFile === undefined) {
    throw new WrongSetting(
      'ETH_RPC_URL, ETH_CHAIN_ID and ETH_PRIVATE_KEY_FILE are needed to send a transaction: set all three.',
    );
  }
  return { rpcUrl, chainId, privateKey: privateKeyIn('ETH_PRIVATE_KEY_FILE', keyFile) };
}

/** @throws WrongSetting when only some of the three are set, or without the settings of Ethereum */
export function readErc8004(set: Given, ethereum: EthereumSetting | undefined): Erc8004Setting | undefined {
  const { ERC8004_IDENTITY: identity, ERC8004_REPUTATION: reputation, ERC8004_KEY_FILE: keyFile } = set;
  const missing = ofRegistries.filter((name) => set[name] === undefined);
  if (missing.length === ofRegistries.length) return undefined;
  needs(set, 'ETH_RPC_URL', ofRegistries);
  if (identity === undefined || reputation === undefined || keyFile === undefined) {
    throw new WrongSetting(`${missing.join(' and ')} missing: feedback needs all of ${ofRegistries.join(', ')}.`);
  }
  const privateKey = privateKeyIn('ERC8004_KEY_FILE', keyFile);
  // Each of the two counts the transactions of its account, so another sender would stop it.
  if (privateKey === ethereum?.privateKey) {
    throw new WrongSetting(
      'ERC8004_KEY_FILE is wrong: it holds the key of ETH_PRIVATE_KEY_FILE. Use a key of its own.',
    );
  }
  return {
    identity,
    reputation,
    privateKey,
    epochMs: set.ERC8004_EPOCH,
    maxSpendWeiPerDay: set.ERC8004_MAX_SPEND_WEI_PER_DAY,
  };
}

/** @throws WrongSetting with a sentence that does not repeat the content of the file */
function privateKeyIn(setting: string, path: string): string {
  const digits = secretIn(setting, path)?.replace(/^0x/, '').toLowerCase() ?? '';
  if (!isPrivateKey(digits)) {
    throw new WrongSetting(`${setting} is wrong: the file must hold a private key as 64 hex digits.`);
  }
  return `0x${digits}`;
}

function readAddress(given: string, context: z.RefinementCtx): string {
  const account = given.startsWith('0x') ? readAccount(given) : null;
  if (account !== null) return account.replace('eip155:', '');
  context.addIssue('must be an address: 0x and 40 hex digits, of one case or as EIP-55 writes them');
  return z.NEVER;
}

/** Of a decimal number of gwei (10^9 wei) the wei. */
function readGwei(given: string): bigint {
  const [whole = '', part = ''] = given.split('.');
  return BigInt(whole + part.padEnd(9, '0'));
}
