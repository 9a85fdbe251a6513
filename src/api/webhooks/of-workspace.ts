import { workspaceWebhooks, workspaceWebhooksQuery } from '../../../contracts/webhooks.js';
import { webhooksOfWorkspace } from '../../../projections/webhooks/queries.js';
import { exampleAgentId } from '../agents/agents.js';
import { lastOf } from '../input.js';
import { operation } from '../operation.js';
import { exampleWebhook, webhookShape } from './webhooks.js';

export const workspaceWebhooksOperation = operation({
  method: 'GET',
  path: '/v1/workspace/webhooks',
  summary: 'The webhooks of all agents, newest first; of an address only the host is shown',
  access: 'manage the workspace',
  query: workspaceWebhooksQuery,
  answers: { 200: workspaceWebhooks },
  refusals: ['invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listWorkspaceWebhooks',
    answers: {
      200: {
        description: 'A page of webhooks.',
        body: {
          data: [{ ...exampleWebhook, agent: { agent_id: exampleAgentId, handle: '@archivist', name: 'Archivist' } }],
          next_cursor: null,
        },
      },
    },
  },
  async handle({ caller: { workspaceId }, query: { limit, cursor } }, { reading: { read, cursors, now } }) {
    const before = cursor === undefined ? null : cursors.open('workspace webhooks', [workspaceId], cursor);
    const rows = await read((tx) => webhooksOfWorkspace(tx, workspaceId, now(), { before, limit: limit + 1 }));
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(page) : undefined;
    const data = page.map(({ agent_id, agent_handle: handle, agent_name: name, ...view }) => ({
      ...webhookShape(view),
      agent: { agent_id, handle, name },
    }));
    return {
      status: 200,
      body: { data, next_cursor: last ? cursors.seal('workspace webhooks', [workspaceId], last.id) : null },
    };
  },
});
