/** The name of a vendor or of another party as it is compared and shown; null for one that is only white space. */
export function publicName(name: string | null | undefined): string | null {
  return name?.normalize('NFC').trim() || null;
}
