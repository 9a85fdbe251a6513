import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../../src/settings/config.js';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-settings-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, text: string, mode = 0o600): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const digits = 'Ab'.repeat(32);
const anchors = {
  ETH_RPC_URL: 'http://user:secret@node.example:8545',
  ETH_CHAIN_ID: '1',
  ETH_PRIVATE_KEY_FILE: file('key', `0x${digits}\n`),
  ETH_ANCHOR_ADDRESS: '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
};
const registries = {
  ERC8004_IDENTITY: `0x${'1'.repeat(40)}`,
  ERC8004_REPUTATION: `0x${'2'.repeat(40)}`,
  ERC8004_KEY_FILE: file('other', '01'.repeat(32)),
};

// @covers ETH-SETTINGS
it('have defaults, and nothing is anchored without them', () => {
  expect(readConfig({})).toMatchObject({ ethereum: undefined, erc8004: undefined });
  expect(readConfig({ ...anchors, ...registries })).toMatchObject({
    ethereum: {
      rpcUrl: anchors.ETH_RPC_URL,
      chainId: 1,
      privateKey: `0x${digits.toLowerCase()}`,
      anchorAddress: anchors.ETH_ANCHOR_ADDRESS.toLowerCase(),
      intervalMs: 86_400_000,
      maxFeeWei: 50_000_000_000n,
      maxTipWei: 3_000_000_000n,
      maxSpendWeiPerDay: 10n ** 16n,
      confirmations: 12,
    },
    erc8004: { identity: registries.ERC8004_IDENTITY, epochMs: 86_400_000, maxSpendWeiPerDay: 10n ** 16n },
  });
});

it('take fractions of a gwei, and the finality of the chain', () => {
  const set = {
    ...anchors,
    ETH_MAX_FEE_GWEI: '0.05',
    ETH_MAX_TIP_GWEI: '1.5',
    ETH_CONFIRMATIONS: 'finalized',
    ETH_ANCHOR_INTERVAL: '10m',
  };
  expect(readConfig(set).ethereum).toMatchObject({
    maxFeeWei: 50_000_000n,
    maxTipWei: 1_500_000_000n,
    confirmations: 'finalized',
    intervalMs: 600_000,
  });
});

const without = (name: keyof typeof anchors) => ({ ...anchors, [name]: '' });
const ofKey = 'ETH_PRIVATE_KEY_FILE is wrong: the file must hold a private key as 64 hex digits.';

// @covers ETH-SETTINGS-TOGETHER ETH-KEY-FILE
it.each([
  [{ ETH_RPC_URL: 'http://x' }, 'ETH_CHAIN_ID and ETH_PRIVATE_KEY_FILE and ETH_ANCHOR_ADDRESS missing: anchors on'],
  [without('ETH_RPC_URL'), 'ETH_RPC_URL missing: anchors on Ethereum need all of ETH_RPC_URL, ETH_CHAIN_ID,'],
  [without('ETH_ANCHOR_ADDRESS'), 'ETH_ANCHOR_ADDRESS missing'],
  [{ ...anchors, ETH_RPC_URL: 'ws://x' }, 'ETH_RPC_URL is wrong: must be an http or https address.'],
  [{ ...anchors, ETH_CHAIN_ID: '0' }, 'ETH_CHAIN_ID is wrong'],
  [{ ...anchors, ETH_CHAIN_ID: 'mainnet' }, 'ETH_CHAIN_ID is wrong: must be a number.'],
  [{ ...anchors, ETH_ANCHOR_ADDRESS: `${anchors.ETH_ANCHOR_ADDRESS}0` }, 'ETH_ANCHOR_ADDRESS is wrong: must be an'],
  [{ ...anchors, ETH_ANCHOR_ADDRESS: anchors.ETH_ANCHOR_ADDRESS.replace('A1', 'a1') }, 'ETH_ANCHOR_ADDRESS is wrong'],
  [{ ...anchors, ETH_MAX_FEE_GWEI: '-1' }, 'ETH_MAX_FEE_GWEI is wrong: must be a number of gwei, such as 50 or 0.5.'],
  [{ ...anchors, ETH_MAX_SPEND_WEI_PER_DAY: '1e16' }, 'ETH_MAX_SPEND_WEI_PER_DAY is wrong: must be a whole number of'],
  [
    { ...anchors, ETH_CONFIRMATIONS: '0' },
    'ETH_CONFIRMATIONS is wrong: must be a number from 1 to 9999, or finalized.',
  ],
  [{ ...anchors, ETH_ANCHOR_INTERVAL: '337h' }, 'ETH_ANCHOR_INTERVAL is wrong: must be at most 336h.'],
  [{ ...anchors, ETH_PRIVATE_KEY_FILE: file('short', '0x12') }, ofKey],
  [{ ...anchors, ETH_PRIVATE_KEY_FILE: file('zero', '0'.repeat(64)) }, ofKey],
  [{ ...anchors, ETH_PRIVATE_KEY_FILE: file('open', digits, 0o644) }, 'can be read by other users of this machine'],
  [{ ...registries }, 'ETH_RPC_URL is missing: ERC8004_IDENTITY is set without it.'],
  [{ ...anchors, ...registries, ERC8004_REPUTATION: '' }, 'ERC8004_REPUTATION missing: feedback needs all of'],
  [
    { ...anchors, ...registries, ERC8004_KEY_FILE: anchors.ETH_PRIVATE_KEY_FILE },
    'ERC8004_KEY_FILE is wrong: it holds the key of ETH_PRIVATE_KEY_FILE. Use a key of its own.',
  ],
])('refuse %o', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
});
