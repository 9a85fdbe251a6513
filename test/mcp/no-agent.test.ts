import { describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { noRateLimits } from '../../src/api/rate-limits.js';
import type { Services } from '../../src/api/services.js';
import { refusedCall } from '../../src/mcp/protocol/refusals.js';
import { listSubscriptions } from '../../src/mcp/tools/list-subscriptions.js';
import { subscribe } from '../../src/mcp/tools/subscribe.js';
import { unsubscribe } from '../../src/mcp/tools/unsubscribe.js';

/** They are refused before any service is used. */
const services: Services = JSON.parse('{}');

/** A grant without an agent. */
const caller = {
  workspaceId: '0192f0c4-8000-7000-8000-00000000000a',
  actor: { type: 'grant', id: 'g', user_id: 'm', agent_id: null, app_id: 'c', run_id: null, via: 'mcp' },
  scopes: ['mcp:tools', 'memory.read', 'memory.write'],
  namespaceIds: ['0192f0c4-8000-7000-8000-00000000000b'],
  agent: null,
  role: null,
  memoryApi: true,
} as const;

describe('a connection without an agent', () => {
  // @covers MCPT-NO-AGENT
  it.each([listSubscriptions, subscribe, unsubscribe])('learns from $definition.name how it gets one', async (tool) => {
    const client = { address: '127.0.0.1', browser: null, session: async () => null, signInAttempt: async () => null };
    const { signal } = new AbortController();
    const calling = { services, rateLimits: noRateLimits, caller, client, idempotencyKey: undefined, signal };
    const refusal = await tool.call({ value: {}, text: '{}' }, calling).catch((error: unknown) => error);
    if (!(refusal instanceof Refusal)) throw new Error('it is not refused');
    expect(refusedCall(refusal, 'r')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^agent_required: .+Reconnect and choose an agent.+x-service-agent/) }],
      _meta: { 'counterfoil/error': { code: 'agent_required' } },
    });
  });
});
