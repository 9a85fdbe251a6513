import { keyIn } from '../../contracts/keys.js';
import { keyScopes } from '../../contracts/scopes.js';
import { allWorkspaces } from '../../projections/account/queries.js';
import { endSessionsOf } from '../../projections/account/sessions.js';
import { hashPassword } from '../adapters/passwords/argon2.js';
import { credentialsUsed } from '../commands/first-credentials.js';
import { createKey } from '../commands/keys.js';
import { operatorOf } from '../commands/open-workspace.js';
import { resetPassword } from '../commands/people.js';
import { base62Text, keyHash, newApiKey } from '../domain/secrets.js';
import type { Operation, Outcome } from './command.js';

/**
 * Makes an API key for the operator: `create <name> [workspace=<id>] [scope=<scope>]…`. It is bound to the default
 * namespace. Unlike the key of the first start it sees no receipts of governance, but with the scope `receipts.read`.
 * @throws Error with a sentence about what was typed wrong
 */
export async function apiKeys(operation: Operation, [verb, name = '', ...args]: readonly string[]): Promise<Outcome> {
  if (verb !== 'create') throw new Error(`There is no command keys ${verb}.`);
  const { database, run, world } = operation;
  const named = keyIn.name.schema.safeParse(name);
  if (!named.success) throw new Error('A name has 1 to 64 characters and no control characters.');
  const scopes = keyIn.scopes.schema.safeParse(valuesOf(args, 'scope'));
  if (!scopes.success) throw new Error(`A scope is one of these: ${keyScopes.join(', ')}.`);
  const workspaceId = await chosenWorkspace(operation, valuesOf(args, 'workspace')[0]);
  const secret = newApiKey();
  const given = {
    name,
    scopes: [...new Set(scopes.data)],
    namespaces: undefined,
    user_id: null,
    agent_id: null,
    app_id: null,
  };
  const { key_id } = await run(workspaceId, createKey(world, operatorOf(workspaceId), given, keyHash(secret)));
  await credentialsUsed(database, workspaceId);
  return { ok: true, text: [`key id   ${key_id}`, `API key  ${secret}`, '', shownOnce].join('\n') };
}

/**
 * Gives the person with this e-mail address a new password in all workspaces, and ends all sessions of the person:
 * `password <e-mail>`.
 * @throws Error with a sentence about what was typed wrong
 */
export async function people(
  { database, run, world }: Operation,
  [verb, email = '']: readonly string[],
): Promise<Outcome> {
  if (verb !== 'password') throw new Error(`There is no command people ${verb}.`);
  const password = base62Text(20);
  const before = await resetPassword({ read: database.read, run, world }, email, await hashPassword(password));
  if (before.length === 0)
    throw new Error(`No person has the e-mail address ${email}. GET /v1/members lists the people.`);
  for (const { workspaceId } of before.flatMap(({ memberships }) => memberships)) {
    await credentialsUsed(database, workspaceId);
  }
  const ids = before.map(({ id }) => id);
  await database.transaction((tx) => endSessionsOf(tx, ids));
  return { ok: true, text: [`person    ${email}`, `password  ${password}`, '', shownOnce].join('\n') };
}

/** The values of the arguments `name=value`. */
const valuesOf = (args: readonly string[], name: string): string[] =>
  args.flatMap((one) => (one.startsWith(`${name}=`) ? [one.slice(name.length + 1)] : []));

const shownOnce = 'It is shown this once; only its hash is stored.';

async function chosenWorkspace({ database }: Operation, id: string | undefined): Promise<string> {
  const all = await database.read((tx) => allWorkspaces(tx));
  const [first, ...more] = id === undefined ? all : all.filter((one) => one.id === id);
  if (!first)
    throw new Error(id === undefined ? 'There is no workspace yet.' : `There is no workspace ${id}. ${lists}`);
  if (more.length > 0) throw new Error(`There are ${all.length} workspaces: say which with --workspace. ${lists}`);
  return first.id;
}

const lists = 'counterfoil workspaces lists them.';
