import { logChain } from '../contracts/log.js';
import type { Database } from './adapters/database/database.js';
import { hashPassword } from './adapters/passwords.js';
import { openWorkspace } from './commands/open-workspace.js';
import type { Run } from './commands/run.js';
import type { Config } from './config.js';
import { base62Text, newApiKey } from './domain/secrets.js';
import { keyHash } from './http/identify.js';
import { genesisBytes } from './ledger/chain.js';
import type { Ledger } from './ledger/ledger.js';
import type { World } from './world.js';

/** What was generated for a new installation. It is shown once and stored nowhere. */
export interface Generated {
  readonly ownerEmail: string;
  /** Null where the operator had set it. */
  readonly ownerPassword: string | null;
  readonly apiKey: string | null;
}

/**
 * Makes the first workspace in an empty store. A crash between its two steps leaves a chain without entries; the next
 * start finds it empty and goes on with it.
 * @returns null when there is a workspace already
 */
export async function bootstrap(
  parts: { ledger: Ledger; database: Database; run: Run; world: World },
  config: Config,
): Promise<Generated | null> {
  const { ledger, run, world } = parts;
  // Whoever has a chain has a log for its head.
  await ledger.begin(logChain, genesisBytes(logChain, world.now().toISOString()));
  const [first] = (await ledger.chains()).filter(({ chain }) => chain !== logChain);
  if (first && (await ledger.read(first.chain, 0, 1)).length > 0) return null;
  const workspaceId = first?.chain ?? world.id();
  if (!first) await ledger.begin(workspaceId, genesisBytes(workspaceId, world.now().toISOString()));
  const ownerEmail = config.owner.email ?? 'owner@localhost';
  const password = config.owner.password ?? base62Text(20);
  const apiKey = config.bootstrapApiKey ?? newApiKey();
  const passwordHash = await hashPassword(password);
  await run(workspaceId, openWorkspace(world, { email: ownerEmail, passwordHash }, keyHash(apiKey)));
  return {
    ownerEmail,
    ownerPassword: config.owner.password === undefined ? password : null,
    apiKey: config.bootstrapApiKey === undefined ? apiKey : null,
  };
}

/** A secret that every process on this store shares, made by whoever starts first. */
export async function sharedSecret(database: Database, world: World, name: string): Promise<Uint8Array> {
  return database.transaction(async (tx) => {
    await tx.query('insert into secrets values ($1, $2) on conflict do nothing', [name, world.random(32)]);
    const [row] = await tx.query<{ value: Uint8Array }>('select value from secrets where name = $1', [name]);
    if (!row) throw new Error(`the secret ${name} is missing`);
    return row.value;
  });
}
