import argon2 from 'argon2';

/** Argon2id (RFC 9106) in its encoded form, with the parameters that the library recommends. */
export function hashPassword(password: string): Promise<string> {
  return argon2.hash(password, { type: argon2.argon2id });
}

/** Takes as long as making the hash did. */
export function isPassword(hash: string, password: string): Promise<boolean> {
  return argon2.verify(hash, password);
}
