import { accountPage } from './account.js';
import { agentsPage } from './agents/list.js';
import { agentPage } from './agents/one.js';
import { provePage } from './agents/prove.js';
import { unlinkPage } from './agents/unlink.js';
import { approvalsPage } from './approvals.js';
import { connectPage } from './connect/page.js';
import { consentPage } from './consent/page.js';
import { grantsPage } from './grants.js';
import { importPage } from './import/page.js';
import { agentKeyPage, agentKeysPage } from './keys/agent-keys.js';
import { keyPage, keysPage } from './keys/api-keys.js';
import { addPage } from './memories/add.js';
import { correctPage, deletePage, invalidatePage, reinstatePage } from './memories/changes.js';
import { memoriesPage } from './memories/list.js';
import { memoryPage } from './memories/one.js';
import { deleteSelectionPage } from './memories/selection.js';
import { namespaceListPage } from './namespace-list.js';
import { approvalPage } from './one-approval.js';
import { oneNamespacePage } from './one-namespace.js';
import { onePersonPage } from './one-person.js';
import { operationsPage } from './operations/page.js';
import { consolePage, overviewPage } from './overview/page.js';
import { tourPage } from './overview/tour.js';
import type { Page } from './page.js';
import { peoplePage } from './people.js';
import { erasePage } from './receipts/erase.js';
import { receiptsPage } from './receipts/list.js';
import { receiptPage } from './receipts/one.js';
import { rulesPage } from './rules/page.js';
import { memoryFilePage, receiptFilePage } from './settings/exports.js';
import { settingsPage } from './settings/page.js';
import { signInPage, signOutPage } from './sign-in.js';
import { deleteWebhookPage } from './webhooks/delete.js';
import { webhooksPage } from './webhooks/list.js';
import { newWebhookPage } from './webhooks/new.js';
import { webhookPage } from './webhooks/one.js';
import { workspacePage } from './workspace.js';

/** The pages for people, which the server makes at each request. */
export const pages: readonly Page[] = [
  overviewPage,
  consolePage,
  tourPage,
  connectPage,
  signInPage,
  signOutPage,
  workspacePage,
  consentPage,
  grantsPage,
  keysPage,
  keyPage,
  agentKeysPage,
  agentKeyPage,
  agentsPage,
  agentPage,
  provePage,
  unlinkPage,
  webhooksPage,
  newWebhookPage,
  webhookPage,
  deleteWebhookPage,
  approvalsPage,
  approvalPage,
  rulesPage,
  memoriesPage,
  deleteSelectionPage,
  addPage,
  importPage,
  memoryPage,
  correctPage,
  invalidatePage,
  reinstatePage,
  deletePage,
  receiptsPage,
  receiptPage,
  erasePage,
  namespaceListPage,
  oneNamespacePage,
  peoplePage,
  onePersonPage,
  settingsPage,
  memoryFilePage,
  receiptFilePage,
  operationsPage,
  accountPage,
];
