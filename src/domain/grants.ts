import type { Role } from '../../contracts/entries/entry.js';

/**
 * The scopes of a grant, or of an access token of it, that the role of its person reaches: a reader reads where the grant
 * would allow writes.
 */
export function scopesWithin(scopes: readonly string[], role: Role): readonly string[] {
  if (role !== 'reader' || !scopes.includes('memory.write')) return scopes;
  return [...new Set(scopes.map((scope) => (scope === 'memory.write' ? 'memory.read' : scope)))];
}

/** The role of a caller with a grant: none like that of a key, or the one that refuses every call, where its person has no role. */
export function roleOfGrant(role: Role): 'none' | null {
  return role === 'none' ? role : null;
}
