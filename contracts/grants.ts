/** The scopes of OAuth grants and access tokens, as clients ask for them. */
export const grantScopes = ['mcp:tools', 'memory.read', 'memory.write'] as const;
export type GrantScope = (typeof grantScopes)[number];
