import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { World } from '../../base/world.js';
import { addSigningKey, type StateDatabase, signingKeyRows } from './rows.js';

/** A key with which access tokens are signed: private, for this service only. */
export interface SigningKey extends JWK {
  readonly kid: string;
}

/** The keys of all processes on the store. */
export interface SigningKeys {
  /** The keys that are published, the newest first. That one signs. */
  all(): Promise<readonly SigningKey[]>;
  /** The public key of this id, also of one that another process has just made. @returns undefined for an unknown id */
  publicKey(kid: string): Promise<CryptoKey | undefined>;
}

/** After this a new key signs. */
const signsMs = 90 * 24 * 3_600_000;
/** The previous key is published for another day. Tokens that it has signed live for 15 minutes. */
const publishedMs = signsMs + 24 * 3_600_000;
/** How long a process uses the keys that it has read. During this time it may sign with the previous key. */
const freshMs = 60_000;
/** Tokens with unknown key ids cause at most one look at the database in this time. */
const lookAgainMs = 100;

interface Stored {
  readonly key: SigningKey;
  /** Counts the keys, so that two processes that make the next one at the same time agree on one. */
  readonly number: number;
  readonly createdAt: string;
}

interface ReadKeys {
  readonly at: number;
  readonly keys: readonly SigningKey[];
  readonly publicKeys: ReadonlyMap<string, CryptoKey>;
}

/** Keys (ES256) in the database. The first process that needs one makes it, and a new one when the last is 90 days old. */
export function createSigningKeys(database: StateDatabase, world: Pick<World, 'now'>): SigningKeys {
  let last: ReadKeys | undefined;
  let reading: Promise<ReadKeys> | undefined;

  async function readAll(): Promise<ReadKeys> {
    const now = world.now();
    let stored = await database.read(storedKeys);
    const [newest] = stored;
    if (newest === undefined || now.getTime() - Date.parse(newest.createdAt) >= signsMs) {
      const made = await makeKey((newest?.number ?? 0) + 1, now);
      const expiresAt = new Date(now.getTime() + publishedMs);
      stored = await database.transaction(async (tx) => {
        await addSigningKey(tx, String(made.number), made, expiresAt);
        return storedKeys(tx);
      });
    }
    const keys = stored.map(({ key }) => key);
    const publicKeys = new Map<string, CryptoKey>();
    for (const { d: _, ...key } of keys) {
      const imported = await importJWK(key, 'ES256');
      if (!(imported instanceof Uint8Array)) publicKeys.set(key.kid, imported);
    }
    return { at: now.getTime(), keys, publicKeys };
  }

  async function noOlderThan(ms: number): Promise<ReadKeys> {
    if (last && Math.abs(world.now().getTime() - last.at) < ms) return last;
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    last = await reading;
    return last;
  }

  return {
    all: async () => (await noOlderThan(freshMs)).keys,
    async publicKey(kid) {
      const known = (await noOlderThan(freshMs)).publicKeys.get(kid);
      return known ?? (await noOlderThan(lookAgainMs)).publicKeys.get(kid);
    },
  };
}

async function storedKeys(tx: Parameters<typeof signingKeyRows>[0]): Promise<readonly Stored[]> {
  const found: readonly Stored[] = (await signingKeyRows(tx)).map((payload) => JSON.parse(payload));
  return [...found].sort((a, b) => b.number - a.number);
}

async function makeKey(number: number, now: Date): Promise<Stored> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = `${number}-${crypto.randomUUID().slice(0, 8)}`;
  return { key: { ...jwk, kid, alg: 'ES256', use: 'sig' }, number, createdAt: now.toISOString() };
}
