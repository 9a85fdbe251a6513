import type { Commitment, Entry } from '../../contracts/entries/entry.js';
import type { Deposit } from '../../contracts/entries/recorded.js';
import { commit, entryHash } from './chain.js';

interface Commitments {
  readonly content: Commitment | null;
  readonly metadata: Commitment | null;
  readonly source: Commitment | null;
  readonly label: Commitment | null;
}

/** What an entry commits to by its vault row: texts that must open, `salt only` when the text is never kept, or nothing. */
function commitmentsOf(entry: Entry): Commitments | 'salt only' | 'nothing' {
  switch (entry.kind) {
    case 'member.added':
    case 'member.password_changed':
      return { content: entry.body.account_commitment, metadata: null, source: null, label: null };
    case 'key.created':
      return { content: entry.body.secret_commitment, metadata: null, source: null, label: null };
    case 'agent.linked':
      return { content: entry.body.token_commitment, metadata: null, source: null, label: null };
    case 'webhook.created':
      return { content: entry.body.target_commitment, metadata: null, source: null, label: null };
    case 'memory.write':
      return {
        content: entry.body.content_commitment,
        metadata: entry.body.metadata_commitment,
        source: entry.body.source_commitment,
        // Entries from before there were imports of files have none.
        label: entry.body.label_commitment ?? null,
      };
    case 'memory.recall':
    case 'approval.requested':
      return 'salt only';
    case 'workspace.created':
    case 'member.changed':
    case 'member.removed':
    case 'workspace.renamed':
    case 'workspace.provisioned':
    case 'approval':
    case 'rules.changed':
    case 'namespace.created':
    case 'namespace.renamed':
    case 'namespace.deleted':
    case 'key.bound':
    case 'key.revoked':
    case 'agent.unlinked':
    case 'webhook.deleted':
    case 'memory.moved':
    case 'memory.delete':
    case 'log.key_added':
    case 'log.key_ended':
    case 'log.heads_added':
    case 'checkpoint.signed':
    case 'checkpoint.cosigned':
    case 'anchor.submitted':
    case 'anchor.attested':
    case 'anchor.confirmed':
    case 'anchor.lost':
      return 'nothing';
    default:
      return entry satisfies never;
  }
}

/** Whether an entry has a row in the vault until its subject is deleted. */
export function hasDeposit(entry: Entry): boolean {
  return commitmentsOf(entry) !== 'nothing';
}

/** The receipts whose rows of the vault are destroyed with this entry. */
export function erasedBy(entry: Entry): readonly string[] {
  switch (entry.kind) {
    case 'memory.write':
      return entry.body.approval ? [entry.body.approval.requested_receipt_id] : [];
    case 'memory.delete': {
      const { write_receipt_id, approval } = entry.body;
      return approval ? [write_receipt_id, approval.requested_receipt_id] : [write_receipt_id];
    }
    case 'approval':
      return entry.body.decision === 'rejected' ? [entry.body.requested_receipt_id] : [];
    case 'member.password_changed':
      return [entry.body.replaced_receipt_id];
    case 'member.removed':
      return [entry.body.added_receipt_id];
    case 'agent.unlinked':
      return [entry.body.linked_receipt_id];
    case 'webhook.deleted':
    case 'key.revoked':
      return [entry.body.created_receipt_id];
    default:
      return [];
  }
}

/** What is wrong with the vault row of `entry`, as the end of a sentence about that row, or null. */
export function depositFault(entry: Entry, deposit: Deposit): string | null {
  const commitments = commitmentsOf(entry);
  if (commitments === 'nothing') return 'belongs to an entry that commits to nothing';
  const { salt, content, metadata, source, label } = deposit;
  if (commitments === 'salt only') {
    const kept = [content, metadata, source, label].some((text) => text !== null);
    return kept ? 'holds a text that is never kept' : null;
  }
  const texts = { content, metadata, source, label };
  for (const column of ['content', 'metadata', 'source', 'label'] as const) {
    const text = texts[column];
    const opened = text === null ? null : commit(salt, text);
    if (opened !== commitments[column]) return `does not open the commitment to its ${column}`;
  }
  return null;
}

/** A row of the vault as it is stored now, with the receipt that it is shown under and the bytes of that receipt's entry. */
export interface Kept extends Omit<Deposit, 'receiptId'> {
  readonly receipt_id: string;
  readonly receipt_hash: string;
  readonly entry: Uint8Array;
}

/**
 * What is wrong with texts that are about to be shown under a receipt hash, as the end of a sentence about them, or null when
 * they are the texts that this receipt commits to.
 */
export function alterationOf({ receipt_id, receipt_hash, entry: bytes, ...deposit }: Kept): string | null {
  if (entryHash(bytes) !== receipt_hash) return 'belongs to an entry that does not have the hash of its receipt';
  const entry: Entry = JSON.parse(Buffer.from(bytes).toString('utf8'));
  if (entry.receipt_id !== receipt_id) return 'belongs to the entry of another receipt';
  return depositFault(entry, { receiptId: receipt_id, ...deposit });
}
