import { Refusal } from '../../../contracts/errors.js';

const noAgent =
  'Subscriptions belong to an agent, and this connection has none. Reconnect and choose an agent on the consent page, or send the header x-service-agent with the id of an agent that is linked to the workspace.';

/** Says to a client without an agent how it gets one. @throws Refusal agent_required */
export async function withAgent<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    if (error instanceof Refusal && error.code === 'agent_required') throw new Refusal('agent_required', noAgent);
    throw error;
  });
}
