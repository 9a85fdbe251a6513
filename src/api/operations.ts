import {
  agentKeyBindOperation,
  agentKeyCreateOperation,
  agentKeyListOperation,
  agentKeyRevokeOperation,
} from './agent-keys/agent-keys.js';
import { agentLinkOperation, agentListOperation, agentUnlinkOperation } from './agents/agents.js';
import { erc8004GetOperation, erc8004LinkOperation, erc8004UnlinkOperation } from './agents/erc8004.js';
import {
  approvalGetOperation,
  approvalListOperation,
  approveOperation,
  rejectOperation,
} from './approvals/approvals.js';
import { approvalMemoriesOperation } from './approvals/memories.js';
import {
  attestationKeyAddOperation,
  attestationKeyListOperation,
  attestationKeyRemoveOperation,
} from './attestation-keys/attestation-keys.js';
import { closeFileOperation, closeListOperation } from './closes/closes.js';
import { compositeWidgetOperation, tickerWidgetOperation } from './embed/widgets.js';
import {
  attributionFeedOperation,
  discoveryFeedOperation,
  disputesFeedOperation,
  terminalFeedOperation,
  tradingFeedOperation,
  treasuryFeedOperation,
} from './feeds/feeds.js';
import { grantListOperation, grantRevokeOperation } from './grants/grants.js';
import { feedbackOperation } from './identities/feedback.js';
import { challengeOperation, identityListOperation } from './identities/identities.js';
import { identityIssueOperation } from './identities/issue.js';
import { agentRegistrationOperation, serviceRegistrationOperation } from './identities/registration.js';
import { registryProofOperation, registryReceiptOperation } from './identities/registry.js';
import { importOperation, jobListOperation, jobOperation, retryOperation } from './ingest/ingest.js';
import { retryJobsOperation } from './ingest/retry.js';
import { kafkaSecretOperation } from './keys/kafka-secret.js';
import {
  keyBindingsOperation,
  keyBindOperation,
  keyCreateOperation,
  keyListOperation,
  keyRevokeOperation,
} from './keys/keys.js';
import { memoryAddOperation } from './memories/add.js';
import { memoryBatchOperation } from './memories/batch.js';
import { bulkDeleteOperation } from './memories/bulk-delete.js';
import { deleteSelectedOperation } from './memories/delete-selected.js';
import { memoryExportOperation } from './memories/export.js';
import { memoryInvalidateOperation, memoryReinstateOperation } from './memories/invalidate.js';
import { memoryListOperation } from './memories/list.js';
import { memoryDeleteOperation, memoryOperation } from './memories/one.js';
import { memoryRecallsOperation } from './memories/recalls.js';
import { searchOperation } from './memories/search.js';
import { unusedMemoriesOperation } from './memories/unused.js';
import {
  namespaceCreateOperation,
  namespaceDeleteOperation,
  namespaceGetOperation,
  namespaceListOperation,
  namespaceRenameOperation,
} from './namespaces/namespaces.js';
import { isForWorkspaces, type Operation, type WorkspaceOperation } from './operation.js';
import { tracesOperation } from './otlp/traces.js';
import { checkpointOperation, logKeysOperation, tileOperation } from './public-log/files.js';
import {
  formerCheckpointOperation,
  formerKeysOperation,
  formerTileOperation,
  growthOperation,
} from './public-log/former.js';
import { privateEraseOperation } from './receipts/erase-private.js';
import { receiptExportOperation } from './receipts/export.js';
import { receiptListOperation } from './receipts/list.js';
import { proofOperation, queryProofOperation, receiptOperation } from './receipts/receipts.js';
import { taskSubmitOperation } from './receipts/submit.js';
import { receiptTraceOperation } from './receipts/trace.js';
import { verifyOperation } from './receipts/verify.js';
import { healthOperation, metricsOperation, readinessOperation } from './service/health.js';
import { passwordOperation, sessionEndOperation, sessionListOperation } from './session/account.js';
import { providerBeginOperation, providerFinishOperation } from './session/provider.js';
import { sessionMoveOperation, sessionOperation, signInOperation, signOutOperation } from './session/session.js';
import { alertDeleteOperation, alertListOperation, alertSetOperation } from './terminal/alerts.js';
import { entitlementOperation } from './terminal/entitlement.js';
import { streamOperation } from './terminal/stream.js';
import { unwatchOperation, watchlistOperation, watchOperation } from './terminal/watchlist.js';
import { deliveryListOperation, redeliverOperation } from './webhooks/deliveries.js';
import { webhookCreateOperation, webhookDeleteOperation, webhookListOperation } from './webhooks/webhooks.js';
import {
  memberAddOperation,
  memberChangeOperation,
  memberListOperation,
  memberRemoveOperation,
} from './workspace/members.js';
import { rulesChangeOperation, rulesOperation } from './workspace/rules.js';
import { usageOperation } from './workspace/usage.js';
import { workspaceChangeOperation, workspaceOperation } from './workspace/workspace.js';

/** Every operation, in the order of the interface. What is not in this list is not served. */
export const operations: readonly Operation[] = [
  memoryListOperation,
  memoryAddOperation,
  memoryBatchOperation,
  searchOperation,
  bulkDeleteOperation,
  deleteSelectedOperation,
  memoryOperation,
  memoryDeleteOperation,
  memoryInvalidateOperation,
  memoryReinstateOperation,
  memoryRecallsOperation,
  unusedMemoriesOperation,
  memoryExportOperation,
  jobOperation,
  retryOperation,
  retryJobsOperation,
  jobListOperation,
  importOperation,
  namespaceListOperation,
  namespaceCreateOperation,
  namespaceGetOperation,
  namespaceRenameOperation,
  namespaceDeleteOperation,
  keyListOperation,
  keyCreateOperation,
  keyRevokeOperation,
  kafkaSecretOperation,
  keyBindingsOperation,
  keyBindOperation,
  agentListOperation,
  agentLinkOperation,
  agentUnlinkOperation,
  erc8004GetOperation,
  erc8004LinkOperation,
  erc8004UnlinkOperation,
  agentKeyListOperation,
  agentKeyCreateOperation,
  agentKeyRevokeOperation,
  agentKeyBindOperation,
  grantListOperation,
  grantRevokeOperation,
  attestationKeyListOperation,
  attestationKeyAddOperation,
  attestationKeyRemoveOperation,
  rulesOperation,
  rulesChangeOperation,
  approvalListOperation,
  approvalGetOperation,
  approvalMemoriesOperation,
  approveOperation,
  rejectOperation,
  usageOperation,
  workspaceOperation,
  workspaceChangeOperation,
  memberListOperation,
  memberAddOperation,
  memberChangeOperation,
  memberRemoveOperation,
  webhookListOperation,
  webhookCreateOperation,
  webhookDeleteOperation,
  deliveryListOperation,
  redeliverOperation,
  taskSubmitOperation,
  tracesOperation,
  receiptListOperation,
  receiptExportOperation,
  receiptOperation,
  proofOperation,
  queryProofOperation,
  receiptTraceOperation,
  privateEraseOperation,
  verifyOperation,
  identityListOperation,
  feedbackOperation,
  challengeOperation,
  identityIssueOperation,
  agentRegistrationOperation,
  serviceRegistrationOperation,
  registryReceiptOperation,
  registryProofOperation,
  closeListOperation,
  closeFileOperation,
  checkpointOperation,
  logKeysOperation,
  tileOperation,
  formerCheckpointOperation,
  formerKeysOperation,
  formerTileOperation,
  growthOperation,
  terminalFeedOperation,
  discoveryFeedOperation,
  disputesFeedOperation,
  tradingFeedOperation,
  treasuryFeedOperation,
  attributionFeedOperation,
  sessionOperation,
  signInOperation,
  sessionMoveOperation,
  signOutOperation,
  passwordOperation,
  sessionListOperation,
  sessionEndOperation,
  providerBeginOperation,
  providerFinishOperation,
  compositeWidgetOperation,
  tickerWidgetOperation,
  entitlementOperation,
  watchlistOperation,
  watchOperation,
  unwatchOperation,
  alertListOperation,
  alertSetOperation,
  alertDeleteOperation,
  streamOperation,
  healthOperation,
  readinessOperation,
  metricsOperation,
];

/** The operations for callers of a workspace. */
export const workspaceOperations: readonly WorkspaceOperation[] = operations.filter(isForWorkspaces);
