/** The identities of agents that the registry has issued and verified at t or before. */
export interface Identities {
  /** @param agentName the name that is bound to the identity; null without one */
  issue(agentId: string, agentName: string | null): void;
  verify(agentId: string): void;
  nameOf(agentId: string): string | null;
  isVerified(agentId: string): boolean;
}

/** It holds what figures need: names, and which identities are verified. */
export function createIdentities(): Identities {
  const names = new Map<string, string>();
  const verified = new Set<string>();
  return {
    issue(agentId, agentName) {
      if (agentName !== null) names.set(agentId, agentName);
    },
    verify: (agentId) => void verified.add(agentId),
    nameOf: (agentId) => names.get(agentId) ?? null,
    isVerified: (agentId) => verified.has(agentId),
  };
}
