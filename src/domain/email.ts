/**
 * The three characters that NFC turns into ASCII: the Kelvin sign becomes K, the Greek question mark a semicolon and the
 * Greek varia a grave accent. They are left as they are, or a stranger's address would become somebody else's.
 */
const staysAsItIs = '\u212a\u037e\u1fef';
const everythingElse = new RegExp(`[^${staysAsItIs}]+`, 'g');

/**
 * The form in which e-mail addresses are compared, counted and looked up, everywhere: NFC, with the letters A to Z in lower
 * case. No other case is folded, because Unicode folds different letters into one (the Kelvin sign into k, the dotted İ into
 * i), and because no two systems agree on how.
 */
export function emailKey(address: string): string {
  return address.replace(everythingElse, (text) =>
    text.normalize('NFC').replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  );
}
