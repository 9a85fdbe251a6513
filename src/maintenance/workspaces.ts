import { z } from 'zod';
import { plans } from '../../contracts/entries/entry.js';
import { memberIn } from '../../contracts/members.js';
import { allWorkspaces } from '../../projections/account/queries.js';
import { hashPassword } from '../adapters/passwords/argon2.js';
import { workspaceId } from '../base/world.js';
import { provision } from '../commands/change-workspace.js';
import { beginChain, openWorkspace } from '../commands/open-workspace.js';
import type { Database } from '../database/database.js';
import { base62Text, keyHash, newApiKey } from '../domain/secrets.js';
import type { Operation, Outcome } from './command.js';

const change = z.object({
  plan: z.enum(plans).optional(),
  'memory-api': z.enum(['on', 'off']).optional(),
  actions: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number)
    .optional(),
});

/**
 * The operator's commands for workspaces: `list`, `add <e-mail>` and `set <id> [plan=…] [memory-api=…] [actions=…]`.
 * @throws Error with a sentence about what was typed wrong
 */
export async function workspaces(operation: Operation, [verb = 'list', ...args]: readonly string[]): Promise<Outcome> {
  switch (verb) {
    case 'list':
      return { ok: true, text: await listed(operation.database) };
    case 'add':
      return { ok: true, text: await add(operation, args[0] ?? '') };
    case 'set':
      return { ok: true, text: await set(operation, args[0] ?? '', args.slice(1)) };
    default:
      throw new Error(`There is no command workspaces ${verb}.`);
  }
}

async function listed(database: Database): Promise<string> {
  const rows = await database.read((tx) => allWorkspaces(tx));
  const lines = rows.map(
    ({ id, plan, memory_api, name }) => `${id}  ${plan.padEnd(10)}  ${onOff(memory_api)}  ${name}`,
  );
  return [`${'id'.padEnd(36)}  ${'plan'.padEnd(10)}  API  name`, ...lines].join('\n');
}

const onOff = (on: boolean): string => (on ? 'on ' : 'off');

async function add({ ledger, run, world }: Operation, email: string): Promise<string> {
  const given = memberIn.email.schema.safeParse(email);
  if (!given.success) throw new Error(`"${email}" is no e-mail address.`);
  const id = workspaceId();
  const [password, key] = [base62Text(20), newApiKey()];
  const passwordHash = await hashPassword(password);
  await beginChain(ledger, world, id);
  const { hadPassword } = await run(id, openWorkspace(world, { email, passwordHash }, keyHash(key)));
  const shown = hadPassword ? '(as before: this person is a member of another workspace)' : password;
  return [`Workspace ${id}`, `owner     ${email}`, `password  ${shown}`, `API key   ${key}`].join('\n');
}

async function set({ database, run, world }: Operation, id: string, pairs: readonly string[]): Promise<string> {
  const before = (await database.read((tx) => allWorkspaces(tx))).find((one) => one.id === id);
  if (!before) throw new Error(`There is no workspace ${id}. counterfoil workspaces lists them.`);
  const given = change.safeParse(Object.fromEntries(pairs.map((pair) => pair.split('='))));
  if (!given.success) {
    throw new Error(
      `A plan is one of ${plans.join(', ')}, the memory API is on or off, and actions is a whole number above 0.`,
    );
  }
  const { plan = before.plan, 'memory-api': api = before.memory_api ? 'on' : 'off' } = given.data;
  if (given.data.actions !== undefined && plan !== 'enterprise') {
    throw new Error(`Actions are agreed on the plan enterprise only, and the plan is ${plan}. Add --plan enterprise.`);
  }
  const agreed = plan === 'enterprise' ? (given.data.actions ?? before.agreed_actions) : null;
  await run(id, provision(world, { plan, memory_api: api === 'on', ...(agreed === null ? {} : { actions: agreed }) }));
  const actions = agreed === null ? '' : ` with ${agreed} actions a month`;
  return `Workspace ${id} has the plan ${plan}${actions}, and its memory API is ${api}.`;
}
