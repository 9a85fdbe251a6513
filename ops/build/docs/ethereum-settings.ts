import type { ethereumSettings } from '../../../src/settings/ethereum.js';

/** One setting, for the reference. */
export interface Described {
  readonly meaning: string;
  /** In backquotes when it is a value that can be set; a test compares it with what the service uses. */
  readonly standard: string;
}

type Name = keyof typeof ethereumSettings;

export const ethereumDocs: Readonly<Record<Name, Described>> = {
  ETH_RPC_URL: {
    meaning: 'The JSON-RPC address of an Ethereum node. It is never logged. Needs the next three.',
    standard: 'unset: checkpoints are not anchored on Ethereum',
  },
  ETH_CHAIN_ID: {
    meaning:
      'The chain, such as `1` for Ethereum. The start compares it with the node, and it never changes for a store.',
    standard: 'unset',
  },
  ETH_PRIVATE_KEY_FILE: {
    meaning:
      'A file that only this user can read, with the private key (64 hex digits) of the account that pays. Nothing else may use the account.',
    standard: 'unset',
  },
  ETH_ANCHOR_ADDRESS: { meaning: 'The contract that takes the anchors.', standard: 'unset' },
  ETH_ANCHOR_INTERVAL: {
    meaning: 'How often the newest checkpoint is anchored: a number with `s`, `m` or `h`. Older ones are proved by it.',
    standard: '`24h`',
  },
  ETH_MAX_FEE_GWEI: {
    meaning: 'The highest price of a unit of gas. While it is higher, anchoring waits.',
    standard: '`50`',
  },
  ETH_MAX_TIP_GWEI: {
    meaning:
      'The highest price of a unit of gas above the base fee (the tip). No more is offered, even when the node names more. A chain that demands more needs a higher one.',
    standard: '`3`',
  },
  ETH_MAX_SPEND_WEI_PER_DAY: {
    meaning: 'The most that anchors cost in a day (UTC). When it is spent, anchoring waits.',
    standard: '`10000000000000000` (0.01 ether)',
  },
  ETH_CONFIRMATIONS: {
    meaning:
      'The number of blocks after which an anchor is final, its own counted; or `finalized`, to wait for the chain.',
    standard: '`12`',
  },
  ERC8004_IDENTITY: {
    meaning: 'The identity registry of ERC-8004 on that chain. Needs the next two, and the settings of Ethereum.',
    standard: 'unset: no feedback is given',
  },
  ERC8004_REPUTATION: { meaning: 'The reputation registry of ERC-8004.', standard: 'unset' },
  ERC8004_KEY_FILE: {
    meaning:
      'A file with the private key of the account that gives feedback. It is another account than that of the anchors, and than the owner of any agent.',
    standard: 'unset',
  },
  ERC8004_EPOCH: { meaning: 'The span of time that one feedback is about, counted from 1970.', standard: '`24h`' },
  ERC8004_MAX_SPEND_WEI_PER_DAY: {
    meaning: 'The most that feedback costs in a day (UTC).',
    standard: '`10000000000000000` (0.01 ether)',
  },
};

/** In the order of the reference. */
export const ethereumNames: readonly Name[] = [
  'ETH_RPC_URL',
  'ETH_CHAIN_ID',
  'ETH_PRIVATE_KEY_FILE',
  'ETH_ANCHOR_ADDRESS',
  'ETH_ANCHOR_INTERVAL',
  'ETH_MAX_FEE_GWEI',
  'ETH_MAX_TIP_GWEI',
  'ETH_MAX_SPEND_WEI_PER_DAY',
  'ETH_CONFIRMATIONS',
  'ERC8004_IDENTITY',
  'ERC8004_REPUTATION',
  'ERC8004_KEY_FILE',
  'ERC8004_EPOCH',
  'ERC8004_MAX_SPEND_WEI_PER_DAY',
];
