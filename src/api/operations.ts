import { agentLinkEndpoint, agentListEndpoint, agentUnlinkEndpoint } from './agents/agents.js';
import { approvalGetEndpoint, approvalListEndpoint, approveEndpoint, rejectEndpoint } from './approvals/approvals.js';
import { importEndpoint, jobEndpoint, jobListEndpoint, retryEndpoint } from './ingest/ingest.js';
import {
  keyBindEndpoint,
  keyBindingsEndpoint,
  keyCreateEndpoint,
  keyListEndpoint,
  keyRevokeEndpoint,
} from './keys/keys.js';
import { bulkDeleteEndpoint } from './memories/bulk-delete.js';
import { addEndpoint, deleteEndpoint, exportEndpoint, getEndpoint, listEndpoint } from './memories/memories.js';
import { searchEndpoint } from './memories/search.js';
import {
  namespaceCreateEndpoint,
  namespaceDeleteEndpoint,
  namespaceGetEndpoint,
  namespaceListEndpoint,
  namespaceRenameEndpoint,
} from './namespaces/namespaces.js';
import type { Endpoint } from './operation.js';
import { proofEndpoint, receiptEndpoint, receiptListEndpoint } from './receipts/receipts.js';
import { deliveryListEndpoint, redeliverEndpoint } from './webhooks/deliveries.js';
import { webhookCreateEndpoint, webhookDeleteEndpoint, webhookListEndpoint } from './webhooks/webhooks.js';
import {
  memberAddEndpoint,
  memberChangeEndpoint,
  memberListEndpoint,
  memberRemoveEndpoint,
  workspaceEndpoint,
  workspaceRenameEndpoint,
} from './workspace/members.js';
import { rulesChangeEndpoint, rulesEndpoint } from './workspace/rules.js';
import { usageEndpoint } from './workspace/usage.js';

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
