import { createHash } from 'node:crypto';
import { Refusal } from '../../../contracts/errors.js';
import type { GrantScope } from '../../../contracts/grants.js';
import { agentsOfWorkspace } from '../../../projections/agents/queries.js';
import { runBy } from '../../commands/by-caller.js';
import { createGrant, type NewGrant, revokeGrant } from '../../commands/grants.js';
import { answering, once } from '../../commands/once.js';
import { type Caller, requireAccess } from '../../domain/caller.js';
import type { CallParts } from '../call.js';
import type { ForReading } from '../services.js';

const access = 'manage own grants';

/** The access that a person allows a client, in answer to its question. */
export interface Allowed extends Omit<NewGrant, 'grantId'> {
  /** The id of the question of the client, which is not shown. */
  readonly question: string;
}

/**
 * Records the grant, and then answers the client. A form that is sent twice makes one grant: its id follows from the question, so a
 * second answer with other choices is refused, and the same answer leads to the same place.
 * @param answer answers the client. If that fails, a new grant is ended: the client never receives a token for it
 * @returns what `answer` returns. @throws Refusal as `createGrant`, and what `answer` throws
 */
export async function allowClient<T>(
  caller: Caller,
  { question, scopes: chosen, ...allowed }: Allowed,
  { services, rateLimits }: CallParts,
  answer: (grantId: string) => Promise<T>,
): Promise<T> {
  requireAccess(caller, access);
  if (!caller.memoryApi) throw new Refusal('feature_not_enabled');
  await rateLimits.workspace(caller, 'write');
  const { world, requestKeys } = services.writing;
  const run = runBy(services.writing.run, caller, access);
  const grantId = grantIdOf(question, caller.workspaceId);
  // Connecting is what every grant is for; the token has the scopes that the client has requested.
  const scopes: readonly GrantScope[] = [...new Set(['mcp:tools' as const, ...chosen])];
  let isNew = false;
  const command = answering(createGrant(world, caller, { grantId, ...allowed, scopes }), (body) => {
    isNew = true;
    return { status: 200, body };
  });
  const choices = Buffer.from(JSON.stringify([allowed.agentId, scopes, allowed.namespaceIds]), 'utf8');
  await run(caller.workspaceId, once(command, requestKeys(caller, `consent:${grantId}`, '/consent', choices)));
  try {
    return await answer(grantId);
  } catch (error) {
    if (isNew) await run(caller.workspaceId, revokeGrant(world, caller, grantId, 'person'));
    throw error;
  }
}

/** One question has one grant in a workspace. Ids of grants are shown, and ids of questions are not. */
function grantIdOf(question: string, workspaceId: string): string {
  return createHash('sha256').update(`${workspaceId}\n${question}`, 'utf8').digest('base64url').slice(0, 32);
}

/** Agents that a person can choose from. */
const mostAgents = 500;

/** The linked agents of a workspace in whose name a client may act. */
export const agentsToChoose = ({ read }: Pick<ForReading, 'read'>, workspaceId: string) =>
  read((tx) => agentsOfWorkspace(tx, workspaceId, null, mostAgents));
