/**
 * The three characters that NFC turns into ASCII: the Kelvin sign becomes K, the Greek question mark a semicolon and the
 * Greek varia a grave accent. They are not converted, because one person's address would become that of another person.
 */
const notNormalized = '\u212a\u037e\u1fef';
const normalized = new RegExp(`[^${notNormalized}]+`, 'g');

/**
 * Returns the form in which e-mail addresses are always compared, counted and looked up: NFC, with the letters A to Z
 * in lower case. No other letters are folded, because Unicode folds different letters into one (the Kelvin sign into k,
 * the dotted İ into i), and because systems differ in how they fold.
 */
export function emailKey(address: string): string {
  return address.replace(normalized, (text) =>
    text.normalize('NFC').replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  );
}
