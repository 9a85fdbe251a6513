import { hash, hashSync } from '@node-rs/argon2';
import type { PasswordCosts } from '../../base/world.js';

/**
 * The recommendation of RFC 9106 for limited memory: 64 MiB, three passes, four lanes. One hash takes about 0.2 s of a core.
 */
export const recommendedCosts: PasswordCosts = { memoryCost: 65_536, timeCost: 3, parallelism: 4 };
/**
 * The library's number for Argon2id. Its names are a `const enum`, which cannot be imported when files are compiled one
 * by one.
 */
const argon2id = 2;

const encoded = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$[\w+/]+$/;

/** The input of a thread: compute a hash with the salt and costs of another one (`like`), or with a new salt and `costs`. */
export interface Hashing {
  readonly password: string;
  readonly like: string | null;
  readonly costs: PasswordCosts;
}

/** Whether the text is a hash. Accounts that no password may open have another text instead. */
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

/** Computes Argon2id (RFC 9106) in its encoded form. It blocks the calling thread. */
export function hashHere({ password, like, costs }: Hashing): string {
  return hashSync(password, optionsOf(like, costs));
}

/** For rare commands of an operator. It uses one of the four threads with which Node reads files and resolves names. */
export function hashPassword(password: string, like: string | null = null, costs = recommendedCosts): Promise<string> {
  return hash(password, optionsOf(like, costs));
}
