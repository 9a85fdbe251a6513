import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployAnchor } from './anchor-contract.js';
import { type Anvil, fundedKeys, startAnvil } from './anvil.js';
import { deployRegistries, type Registries } from './registries/deploy.js';

/** A chain with the anchor contract and both registries, and the settings of a service that uses them. */
export interface Erc8004Chain {
  readonly anvil: Anvil;
  readonly registries: Registries;
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The service's keys: of the account that anchors, and of the one that gives feedback. The accounts 2 to 4 are free for agents. */
export const [anchorKey, feedbackKey] = fundedKeys;

export async function startErc8004Chain(): Promise<Erc8004Chain> {
  const anvil = await startAnvil();
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-keys-'));
  const file = (name: string, key: string) => {
    const path = join(directory, name);
    writeFileSync(path, key, { mode: 0o600 });
    return path;
  };
  const anchor = await deployAnchor(anvil);
  const registries = await deployRegistries(anvil);
  return {
    anvil,
    registries,
    settings: {
      ETH_RPC_URL: anvil.url,
      ETH_CHAIN_ID: String(anvil.chainId),
      ETH_ANCHOR_ADDRESS: anchor.address,
      ETH_PRIVATE_KEY_FILE: file('anchors', anchorKey),
      ERC8004_IDENTITY: registries.identityAddress,
      ERC8004_REPUTATION: registries.reputationAddress,
      ERC8004_KEY_FILE: file('feedback', feedbackKey),
    },
    async stop() {
      anchor.provider.destroy();
      registries.provider.destroy();
      await anvil.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
