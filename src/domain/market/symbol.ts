/** The symbol under which a capability is quoted: `code-review` is `CODE.REVIEW`. */
export const symbolOf = (capability: string): string => capability.toUpperCase().replaceAll('-', '.');
