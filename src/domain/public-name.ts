/** The name of a vendor or of another party as it is compared and shown; null for one that is only white space. */
export function publicName(name: string | null | undefined): string | null {
  return name?.normalize('NFC').trim() || null;
}

/** The symbol under which a capability is quoted: `code-review` is `CODE.REVIEW`. */
export const symbolOf = (capability: string): string => capability.toUpperCase().replaceAll('-', '.');
