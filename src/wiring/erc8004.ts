import type { Logger } from 'pino';
import type { EthereumSigner } from '../adapters/ethereum/account.js';
import { NodeFailed, openNode, openNodeForStart } from '../adapters/ethereum/node.js';
import type { AgentRegistries } from '../adapters/ethereum/registries.js';
import type { Outside } from '../adapters/outside.js';
import { createErc8004, type Erc8004 } from '../commands/erc8004-consent.js';
import type { Config } from '../settings/config.js';
import type { Erc8004Setting } from '../settings/ethereum.js';
import { WrongSetting } from '../settings/wrong-setting.js';

/** The registries of the settings, and the account that gives feedback. */
export interface OpenedErc8004 {
  readonly setting: Erc8004Setting;
  readonly registries: AgentRegistries;
  readonly signer: EthereumSigner;
}

/**
 * @returns null where the settings name no registries
 * @throws WrongSetting when the chain or a registry is another one than the settings say. A node that does not answer is no such case:
 * the registries are looked at again before each link.
 */
export async function openErc8004(
  { ethereum, erc8004: setting }: Pick<Config, 'ethereum' | 'erc8004'>,
  log: Pick<Logger, 'warn'>,
  outside: Outside,
): Promise<OpenedErc8004 | null> {
  if (ethereum === undefined || setting === undefined) return null;
  // The library takes a while to load, and most services have no registries.
  const { openRegistries } = await import('../adapters/ethereum/registries.js');
  const { openSigner } = await import('../adapters/ethereum/account.js');
  const { identity, reputation, privateKey } = setting;
  const named = { chainId: ethereum.chainId, identity, reputation };
  const registries = openRegistries(openNode(ethereum.rpcUrl, undefined, outside.ask), named);
  try {
    const fault = await openRegistries(openNodeForStart(ethereum.rpcUrl, outside.ask), named).fault();
    if (fault !== null) throw new WrongSetting(fault);
  } catch (error) {
    if (!(error instanceof NodeFailed)) throw error;
    log.warn(
      { reason: error.message },
      'the node of Ethereum does not answer, so the registries of ERC-8004 are not checked yet',
    );
  }
  return { setting, registries, signer: openSigner(privateKey) };
}

/** The agents that operations can link; null where no registries are set. */
export function linksOf(
  opened: OpenedErc8004 | null,
  { allowPrivateUrls }: Pick<Config, 'allowPrivateUrls'>,
  outside: Outside,
): Erc8004 | null {
  if (opened === null) return null;
  const { registries, signer } = opened;
  return createErc8004({
    registries,
    fetchPublic: outside.fetch({ allowPrivate: allowPrivateUrls }),
    client: signer.address,
  });
}
