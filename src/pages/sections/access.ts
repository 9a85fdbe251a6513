import { erc8004Page } from '../agents/erc8004-link.js';
import { agentsPage } from '../agents/list.js';
import { agentPage } from '../agents/one.js';
import { provePage } from '../agents/prove.js';
import { unlinkPage } from '../agents/unlink.js';
import { connectPage } from '../connect/page.js';
import { grantsPage } from '../grants.js';
import { agentKeyPage, agentKeysPage } from '../keys/agent-keys.js';
import { keyPage, keysPage } from '../keys/api-keys.js';
import type { Page } from '../page.js';
import { deleteWebhookPage } from '../webhooks/delete.js';
import { webhooksPage } from '../webhooks/list.js';
import { newWebhookPage } from '../webhooks/new.js';
import { webhookPage } from '../webhooks/one.js';

export const accessPages: readonly Page[] = [
  connectPage,
  agentsPage,
  agentPage,
  provePage,
  unlinkPage,
  erc8004Page,
  keysPage,
  keyPage,
  agentKeysPage,
  agentKeyPage,
  grantsPage,
  webhooksPage,
  newWebhookPage,
  webhookPage,
  deleteWebhookPage,
];
