import type { Logger } from 'pino';
import { chainKind, logChain, registryChain } from '../../../contracts/chains.js';
import { keyBySecretHash, keysOfWorkspace, membersOf } from '../../../projections/account/queries.js';
import { forgetWorkspaces } from '../../../projections/account/sessions.js';
import { hashPassword } from '../../adapters/passwords/argon2.js';
import { type World, workspaceId } from '../../base/world.js';
import { agreeOnFirst, credentialsUsed, generatingNow, unusedCredentials } from '../../commands/first-credentials.js';
import { createKey, revokeKey } from '../../commands/keys.js';
import { AlreadyOpen, beginChain, openWorkspace, operatorOf, system } from '../../commands/open-workspace.js';
import type { People } from '../../commands/people.js';
import type { Run } from '../../commands/run.js';
import type { Database } from '../../database/database.js';
import { base62Text, keyHash, newApiKey } from '../../domain/secrets.js';
import { chainIds } from '../../ledger/entries.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Config } from '../../settings/config.js';

/** The credentials that were generated for the first workspace. They are shown by this start and stored nowhere. */
export interface Generated {
  readonly ownerEmail: string;
  /** Null where the operator had set it. */
  readonly ownerPassword: string | null;
  readonly apiKey: string | null;
  /** Whether it replaces unused credentials that an earlier start has shown. */
  readonly again: boolean;
}

export interface BootstrapParts {
  readonly ledger: Ledger;
  readonly database: Database;
  readonly run: Run;
  readonly world: World;
  readonly people: People;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Makes the first workspace in an empty store, and new credentials for it while those that were generated are unused.
 * A crash between its steps leaves a chain without entries; the next start finds it empty and continues with it.
 * @returns null when nothing was generated
 */
export async function bootstrap(parts: BootstrapParts, config: Config): Promise<Generated | null> {
  const { ledger, database, world } = parts;
  // The first chain is that of the log, which every other chain needs for its head. Older stores have no registry.
  await beginChain(ledger, world, logChain);
  await beginChain(ledger, world, registryChain);
  const [first] = (await database.read(chainIds)).filter((chain) => chainKind(chain) === 'workspace');
  const isOpen = first !== undefined && (await ledger.read(first, 0, 1)).length > 0;
  if (isOpen) {
    await completePasswords(parts);
    return renewUnused(parts, config);
  }
  const id = await agreeOnFirst(database, first ?? workspaceId());
  if (!first) await beginChain(ledger, world, id);
  return openFirst(parts, config, id);
}

async function openFirst(parts: BootstrapParts, config: Config, workspaceId: string): Promise<Generated | null> {
  const { database, run, world } = parts;
  const { ownerEmail, password, apiKey, generated } = choose(config);
  const owner = { email: ownerEmail, passwordHash: await hashPassword(password, null, world.passwordCosts) };
  try {
    await run(workspaceId, openWorkspace(world, owner, keyHash(apiKey)));
  } catch (error) {
    // Another process that started at the same time has made it, and shows what it has generated.
    if (error instanceof AlreadyOpen) return null;
    throw error;
  }
  if (generated === null) await credentialsUsed(database, workspaceId);
  return generated;
}

/** Only hashes of unused credentials are stored, so they cannot be shown again: new credentials replace them. */
async function renewUnused(parts: BootstrapParts, config: Config): Promise<Generated | null> {
  const { database, run, people, world, log } = parts;
  const unused = await unusedCredentials(database);
  if (unused === null) return null;
  // A server may have other processes, one of which is showing them at this moment.
  if (config.databaseUrl !== undefined && unused.justMade) {
    log.warn('another start has shown the first password and API key within the last minute, so this one shows none');
    return null;
  }
  await generatingNow(database);
  const { workspaceId } = unused;
  const [members, keys] = await database.read((tx) =>
    Promise.all([membersOf(tx, workspaceId), keysOfWorkspace(tx, workspaceId, null, 100)]),
  );
  const owner = members.find(({ role }) => role === 'owner');
  const { password, apiKey, generated } = choose(config);
  if (owner === undefined) return null;
  const operator = operatorOf(workspaceId);
  if (!(await database.read((tx) => keyBySecretHash(tx, keyHash(apiKey))))) {
    for (const { id } of keys) await run(workspaceId, revokeKey(world, operator, id));
    const named = { name: 'bootstrap', scopes: [], namespaces: undefined, user_id: null, agent_id: null };
    await run(
      workspaceId,
      createKey(world, operator, { ...named, app_id: 'bootstrap', receipts: 'all' }, keyHash(apiKey)),
    );
  }
  const passwordHash = await hashPassword(password, null, world.passwordCosts);
  await people.changePassword({ id: owner.id, workspaceId }, passwordHash, () => system);
  if (generated !== null) return { ...generated, ownerEmail: owner.email, again: true };
  await credentialsUsed(database, workspaceId);
  return null;
}

/** Completes what a crash has left of changes of passwords. The service also works without it, so it stops no start. */
async function completePasswords({ people, database, log }: BootstrapParts): Promise<void> {
  try {
    await people.completeAll();
    await database.transaction(forgetWorkspaces);
  } catch (error) {
    log.warn(
      { err: error },
      'a password that was changed before has not been copied to all workspaces of its person yet',
    );
  }
}

/** The credentials of the settings, and unpredictable ones where the settings have none. */
function choose({ owner, bootstrapApiKey }: Config) {
  const ownerEmail = owner.email ?? 'owner@localhost';
  const password = owner.password ?? base62Text(20);
  const apiKey = bootstrapApiKey ?? newApiKey();
  const ownerPassword = owner.password === undefined ? password : null;
  const shownKey = bootstrapApiKey === undefined ? apiKey : null;
  const generated: Generated | null =
    ownerPassword === null && shownKey === null ? null : { ownerEmail, ownerPassword, apiKey: shownKey, again: false };
  return { ownerEmail, password, apiKey, generated };
}
