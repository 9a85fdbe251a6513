import { accountRoutes } from './account.js';
import { agentLinkEndpoint, agentListEndpoint, agentUnlinkEndpoint } from './agents.js';
import { approvalGetEndpoint, approvalListEndpoint, approveEndpoint, rejectEndpoint } from './approvals.js';
import { bulkDeleteEndpoint } from './bulk-delete.js';
import { deliveryListEndpoint, redeliverEndpoint } from './deliveries.js';
import type { Described } from './described.js';
import type { Endpoint } from './endpoint.js';
import { importEndpoint, jobEndpoint, jobListEndpoint, retryEndpoint } from './ingest.js';
import { keyBindEndpoint, keyBindingsEndpoint, keyCreateEndpoint, keyListEndpoint, keyRevokeEndpoint } from './keys.js';
import { logRoutes } from './log.js';
import {
  memberAddEndpoint,
  memberChangeEndpoint,
  memberListEndpoint,
  memberRemoveEndpoint,
  workspaceEndpoint,
  workspaceRenameEndpoint,
} from './members.js';
import { addEndpoint, deleteEndpoint, exportEndpoint, getEndpoint, listEndpoint } from './memories.js';
import {
  namespaceCreateEndpoint,
  namespaceDeleteEndpoint,
  namespaceGetEndpoint,
  namespaceListEndpoint,
  namespaceRenameEndpoint,
} from './namespaces.js';
import { oidcRoutes } from './oidc.js';
import { operationRoutes } from './operation.js';
import { proofEndpoint, receiptEndpoint, receiptListEndpoint } from './receipts.js';
import { rulesChangeEndpoint, rulesEndpoint } from './rules.js';
import { searchEndpoint } from './search.js';
import { sessionRoutes } from './session.js';
import { usageEndpoint } from './usage.js';
import { verifyDescribed } from './verify.js';
import { webhookCreateEndpoint, webhookDeleteEndpoint, webhookListEndpoint } from './webhooks.js';

/** Every endpoint under /v1/, in the order of the interface. */
export const routes: readonly Endpoint[] = [
  listEndpoint,
  addEndpoint,
  searchEndpoint,
  bulkDeleteEndpoint,
  getEndpoint,
  deleteEndpoint,
  exportEndpoint,
  jobEndpoint,
  retryEndpoint,
  jobListEndpoint,
  importEndpoint,
  namespaceListEndpoint,
  namespaceCreateEndpoint,
  namespaceGetEndpoint,
  namespaceRenameEndpoint,
  namespaceDeleteEndpoint,
  keyListEndpoint,
  keyCreateEndpoint,
  keyRevokeEndpoint,
  keyBindingsEndpoint,
  keyBindEndpoint,
  agentListEndpoint,
  agentLinkEndpoint,
  agentUnlinkEndpoint,
  rulesEndpoint,
  rulesChangeEndpoint,
  approvalListEndpoint,
  approvalGetEndpoint,
  approveEndpoint,
  rejectEndpoint,
  usageEndpoint,
  workspaceEndpoint,
  workspaceRenameEndpoint,
  memberListEndpoint,
  memberAddEndpoint,
  memberChangeEndpoint,
  memberRemoveEndpoint,
  webhookListEndpoint,
  webhookCreateEndpoint,
  webhookDeleteEndpoint,
  deliveryListEndpoint,
  redeliverEndpoint,
  receiptListEndpoint,
  receiptEndpoint,
  proofEndpoint,
];

/** Paths on which a method that is not listed is refused as such; elsewhere there is no such route. */
export const closedPaths: readonly string[] = [webhookListEndpoint.path, webhookDeleteEndpoint.path];
/** Every route there is but the pages, as the description of the API tells of them. */
export const describedRoutes: readonly Described[] = [
  ...routes,
  verifyDescribed,
  ...logRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...oidcRoutes,
  ...operationRoutes,
];
