import { hash, hashSync } from '@node-rs/argon2';

/** How much work a hash is. */
export interface PasswordCosts {
  /** In KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** What RFC 9106 recommends where memory is limited: 64 MiB, three passes, four lanes. One hash takes about 0.2 s of a core. */
export const recommendedCosts: PasswordCosts = { memoryCost: 65_536, timeCost: 3, parallelism: 4 };
/** Of Argon2id, in the library's numbering. The library's own names are a `const enum`, which single files cannot read. */
const argon2id = 2;

const encoded = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$[\w+/]+$/;

/** What a thread is asked for: a hash with the salt and the costs of another one, or with a new salt and these costs. */
export interface Hashing {
  readonly password: string;
  readonly like: string | null;
  readonly costs: PasswordCosts;
}

/** Whether a password can be compared with it at all: accounts that nobody may open have other texts in this place. */
export function isHash(text: string): boolean {
  return encoded.test(text);
}

function optionsOf(like: string | null, costs: PasswordCosts) {
  const [found, memoryCost, timeCost, parallelism, salt = ''] = (like === null ? null : encoded.exec(like)) ?? [];
  if (found === undefined) return { ...costs, algorithm: argon2id };
  return {
    memoryCost: Number(memoryCost),
    timeCost: Number(timeCost),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    algorithm: argon2id,
  };
}

/** Argon2id (RFC 9106) in its encoded form. It keeps the calling thread busy. */
export function hashHere({ password, like, costs }: Hashing): string {
  return hashSync(password, optionsOf(like, costs));
}

/** For what an operator asks for now and then. It takes one of the four threads that files and names are read with. */
export function hashPassword(password: string, like: string | null = null, costs = recommendedCosts): Promise<string> {
  return hash(password, optionsOf(like, costs));
}
