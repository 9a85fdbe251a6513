import { createHmac } from 'node:crypto';

/** Names by which the public distinguishes workspaces and invoices without learning their ids. */
export interface PublicTags {
  /** 16 hex digits. */
  workspace(workspaceId: string): string;
  /** 16 hex digits. Invoices of two workspaces have different tags, also under the same id. */
  invoice(workspaceId: string, invoiceId: string): string;
}

/** @param key the installation key: 32 bytes that the first start has made and that never change */
export function createPublicTags(key: Uint8Array): PublicTags {
  const tag = (...parts: readonly string[]) =>
    createHmac('sha256', key).update(parts.join('\0'), 'utf8').digest('hex').slice(0, 16);
  return {
    workspace: (workspaceId) => tag('counterfoil/workspace-tag/v1', workspaceId),
    invoice: (workspaceId, invoiceId) => tag('counterfoil/invoice-tag/v1', workspaceId, invoiceId),
  };
}
