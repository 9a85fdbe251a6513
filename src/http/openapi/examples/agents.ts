import { samples } from '../../../api/samples.js';
import type { Book } from '../told.js';

const agentId = 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u';
const link = { id: samples.other, agent_id: agentId, name: 'Archivist', created_at: samples.at };
const secret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vayBpbiB0ZXN0cw==';
const webhook = {
  id: samples.webhook,
  name: 'letters to the archive',
  host: 'hooks.example.org',
  pattern: { contains: 'ferry' },
  status: 'active',
  created_at: samples.at,
  last_delivery_at: null,
  last_status_code: null,
};
const delivery = {
  id: samples.job,
  webhook_id: samples.webhook,
  memory_id: samples.memory,
  state: 'delivered',
  attempts: 1,
  last_status_code: 204,
  last_error: null,
  next_attempt_at: null,
  created_at: samples.at,
  updated_at: samples.later,
};

export const agents: Book = {
  'GET /v1/agents': {
    id: 'listAgents',
    answers: { 200: { says: 'A page of links.', body: { data: [link], next_cursor: null } } },
  },
  'POST /v1/agents': {
    id: 'linkAgent',
    body: 'AgentIn',
    description: 'From then on, a request that names the agent in x-service-agent is recorded as the agent’s.',
    request: { agent_id: agentId, name: 'Archivist' },
    answers: {
      201: {
        says: 'The link, with the token of the agent: it is shown once.',
        body: { ...link, receipt_id: samples.receipt, token: 'agt_7Qm2Zr9KxV4tB8nYw1Lc6Hd3Jf5Gp0SaUeRiTo2qWzX' },
      },
    },
  },
  'DELETE /v1/agents/{link_id}': {
    id: 'unlinkAgent',
    description: 'The webhooks of the agent end with it.',
    answers: {
      200: {
        says: 'The agent was unlinked.',
        body: { id: samples.other, unlinked: true, receipt_id: samples.receipt },
      },
    },
  },
  'GET /v1/webhooks': {
    id: 'listWebhooks',
    answers: { 200: { says: 'The complete list.', body: { data: [webhook] } } },
  },
  'POST /v1/webhooks': {
    id: 'createWebhook',
    body: 'WebhookIn',
    description:
      'Each memory that matches every field of the pattern is sent when it becomes ready. Check the header ' +
      'x-service-signature: t=<unix time>,v1=<hex of HMAC-SHA-256(secret, t + "." + body)>, or the headers of Standard Webhooks.',
    request: {
      webhook_url: 'https://hooks.example.org/counterfoil',
      name: 'letters to the archive',
      pattern: { contains: 'ferry' },
    },
    answers: { 201: { says: 'The webhook, with its secret: it is shown once.', body: { ...webhook, secret } } },
  },
  'DELETE /v1/webhooks/{webhook_id}': {
    id: 'deleteWebhook',
    description: 'Only for the agent that owns it. Pending deliveries are dropped.',
    answers: { 200: { says: 'The webhook was deleted.', body: { id: samples.webhook, deleted: true } } },
  },
  'GET /v1/webhooks/{webhook_id}/deliveries': {
    id: 'listDeliveries',
    query: { state: 'Only those that wait, have arrived, or were given up.' },
    answers: { 200: { says: 'A page of deliveries.', body: { data: [delivery], next_cursor: null } } },
  },
  'POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver': {
    id: 'redeliver',
    answers: {
      202: {
        says: 'The delivery, which will be sent again.',
        body: { ...delivery, state: 'pending', attempts: 0, next_attempt_at: samples.later },
      },
    },
  },
};
