import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { agentList } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { agentListOperation } from '../../api/agents/agents.js';
import { state } from '../components/state.js';
import type { Html } from '../html.js';
import { findIn } from '../lists.js';
import type { PageParts, PersonRequest } from '../page.js';

/** The link of an agent to the workspace, as the API lists it. */
export type Agent = z.output<typeof agentList>['data'][number];

export const agentsPath = '/agents';

/** The name by which people know an agent; one without a name or handle is known by its identity. */
export const titleOf = ({ name, handle, agent_id }: Pick<Agent, 'name' | 'handle' | 'agent_id'>): string =>
  name ?? handle ?? agent_id;

/** The agent of a link, or of an identity. @throws Refusal agent_not_found */
export async function agentNamed(id: string, request: PersonRequest, parts: PageParts): Promise<Agent> {
  const isIt = (one: Agent) => one.id === id || one.agent_id === id;
  const agent = await findIn(agentList, agentListOperation, request, { params: {}, isIt }, parts);
  if (!agent)
    throw new Refusal('agent_not_found', 'No agent of this workspace has that id. It may have been unlinked.');
  return agent;
}

/** The pages of agents are about who holds which keys. Other roles read the names by the API. @throws Refusal */
export function requireAdmin({ visitor }: PersonRequest): void {
  const { role } = visitor.session.person;
  if (role === 'none') throw new Refusal('workspace_role_required');
  if (role !== 'owner' && role !== 'admin') throw new Refusal('admin_required');
}

/** The same request in the name of an agent, as the header x-service-agent makes it. The agent must be one of the workspace. */
export function asAgent(request: PersonRequest, agentId: string): PersonRequest {
  const { visitor } = request;
  const { caller } = visitor;
  const named = { ...caller, agent: agentId, actor: { ...caller.actor, agent_id: agentId } };
  return { ...request, visitor: { ...visitor, caller: named } };
}

/** Whether the holder of the key of the identity has agreed to the link. */
export const provedState = (proved: boolean | undefined): Html =>
  proved ? state('verified', 'proved') : state('not-checked', 'not proved');

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** An identity of 160 random bits. A form has it, so that sending the form twice makes one agent. */
export function drawnIdentity(): string {
  return `agn_${[...randomBytes(32)].map((byte) => alphabet[byte % 32]).join('')}`;
}
