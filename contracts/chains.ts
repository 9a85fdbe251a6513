/** A chain is the history of one workspace, the transparency log, or the installation's public registry. */
export type ChainKind = 'workspace' | 'log' | 'registry';

/**
 * The chain of the transparency log itself: what was added to it, signed and anchored. It belongs to the installation and to
 * no workspace, and no credential reaches it; what is public of it is served as checkpoint and tiles.
 */
export const logChain = '00000000-0000-0000-0000-000000000000';

/** The chain of public facts about the installation that belong to no workspace, such as the identities of agents. */
export const registryChain = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The ids of workspaces are UUIDs of version 7, so none of them is one of the two above. */
export function chainKind(chain: string): ChainKind {
  if (chain === logChain) return 'log';
  return chain === registryChain ? 'registry' : 'workspace';
}

/**
 * The tree of a log of this installation: of the first one, and of each that follows one that has lost leaves. All of them are
 * written to one chain.
 */
export function treeOfLog(log: number): string {
  return log === 1 ? logChain : `${logChain.slice(0, 24)}${log.toString(16).padStart(12, '0')}`;
}
