import { agentKeyOperations } from './agent-keys/agent-keys.js';
import { agentOperations } from './agents/operations.js';
import { approvalOperations } from './approvals/operations.js';
import { attestationKeyOperations } from './attestation-keys/attestation-keys.js';
import { closeOperations } from './closes/closes.js';
import { widgetOperations } from './embed/widgets.js';
import { feedOperations } from './feeds/feeds.js';
import { grantOperations } from './grants/grants.js';
import { identityOperations } from './identities/operations.js';
import { ingestOperations } from './ingest/operations.js';
import { keyOperations } from './keys/operations.js';
import { memoryOperations } from './memories/operations.js';
import { namespaceOperations } from './namespaces/namespaces.js';
import { isForWorkspaces, type Operation, type WorkspaceOperation } from './operation.js';
import { otlpOperations } from './otlp/traces.js';
import { publicLogOperations } from './public-log/operations.js';
import { receiptOperations, taskOperations } from './receipts/operations.js';
import { serviceOperations } from './service/health.js';
import { sessionOperations } from './session/operations.js';
import { terminalOperations } from './terminal/operations.js';
import { webhookOperations } from './webhooks/operations.js';
import { memberOperations, rulesOperations } from './workspace/operations.js';

/**
 * Every operation, in the order of the interface: each folder lists its own. What is in no list of a folder is not served.
 */
export const operations: readonly Operation[] = [
  ...memoryOperations,
  ...ingestOperations,
  ...namespaceOperations,
  ...keyOperations,
  ...agentOperations,
  ...agentKeyOperations,
  ...grantOperations,
  ...attestationKeyOperations,
  ...rulesOperations,
  ...approvalOperations,
  ...memberOperations,
  ...webhookOperations,
  ...taskOperations,
  ...otlpOperations,
  ...receiptOperations,
  ...identityOperations,
  ...closeOperations,
  ...publicLogOperations,
  ...feedOperations,
  ...sessionOperations,
  ...widgetOperations,
  ...terminalOperations,
  ...serviceOperations,
];

/** The operations for callers of a workspace. */
export const workspaceOperations: readonly WorkspaceOperation[] = operations.filter(isForWorkspaces);
