/** The scopes that a key may be limited to. In a file of its own, because the command line lists them and loads little. */
export const keyScopes = ['memory.read', 'memory.write', 'receipts.read'] as const;
