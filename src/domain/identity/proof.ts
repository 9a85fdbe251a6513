/** The bytes that the holder of an identity's key signs to show that the key is held. */
export function agentProof(agentId: string, challenge: string): Uint8Array {
  return separated('counterfoil/agent-proof/v1', agentId, challenge);
}

/** The bytes that the holder of an identity's key signs so that a handle of a workspace counts as the identity. */
export function linkProof(agentId: string, challenge: string, workspaceId: string, handle: string): Uint8Array {
  return separated('counterfoil/agent-link/v1', agentId, challenge, workspaceId, handle);
}

/** None of the parts has a zero byte, so two lists of parts never give the same bytes. */
function separated(...parts: readonly string[]): Uint8Array {
  return Buffer.from(parts.join('\0'), 'utf8');
}
