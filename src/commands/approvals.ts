import type { ApprovalKind } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { World } from '../base/world.js';
import { type ApprovalState, type Approvals, decidersAmong, expiryOf } from '../domain/approval.js';
import type { Caller } from '../domain/caller.js';
import { differencesOf, type HeldPart, type HeldText, heldPartsOf } from '../domain/held-write.js';
import { commit } from '../ledger/chain.js';
import type { Command, Effects, Refused } from './command.js';
import { system } from './open-workspace.js';
import { type Decided, nothing, type Recording, recording, together } from './record.js';

/** A request that waits for an approval instead of being carried out. */
export interface Request {
  readonly kind: ApprovalKind;
  /** See requestDigest. */
  readonly digest: string;
  /** It contains nothing of the content, because it stays in the chain permanently. */
  readonly summary: string;
  readonly namespaceIds: readonly string[];
  /** Of a bulk delete: the list of its ids, and the filter that selected them if there is one. They are in the vault until the approval ends. */
  readonly selected?: { readonly count: number; readonly filter?: string; readonly ids: string };
  /** Of a write: what people decide by. It is in the vault until they have decided. */
  readonly held?: HeldText;
}

/** The id and the entry of a request that may have to be filed. */
export type NewRequest = ReturnType<typeof newRequest>;

export function newRequest(world: World) {
  return { id: `apr_${world.id().replaceAll('-', '')}`, record: recording(world), excerpt: recording(world) };
}

/**
 * Files a request, or finds the one that is pending for the same. Its digest is committed to under a salt of its own,
 * which is destroyed when the request is used or rejected: after that no one can test guesses of what was requested.
 * @throws Refusal approval_required for one that is pending already
 */
export function hold(
  { id, record, excerpt }: NewRequest,
  approvals: Approvals,
  { kind, digest, summary, namespaceIds, selected, held }: Request,
  recordedAt: string,
): Refused {
  const pending = pendingFor(approvals, digest, recordedAt);
  if (pending) throw approvalRequired(pending.id);
  const decided: Decided = {
    kind: 'approval.requested',
    body: {
      approval_id: id,
      approval_kind: kind,
      request_commitment: record.commit(digest),
      namespace_ids: namespaceIds,
      summary,
      expires_at: expiryOf(recordedAt),
      ...(selected && { selected: commitmentsOf(record, selected) }),
      ...(held && { held: { excerpt_receipt_id: excerpt.receipt, ...partsOf(record, held) } }),
    },
  };
  const texts = selected
    ? { content: selected.ids, ...(selected.filter !== undefined && { filter: selected.filter }) }
    : {};
  const effects = record.effects(decided, texts);
  return {
    ...(held ? together([excerptEffects(id, excerpt, held, namespaceIds), effects]) : effects),
    refusal: approvalRequired(id),
    unrecorded: 'approval_unavailable',
  };
}

/** The entry that has the excerpt in the vault. It is an entry of its own, because it is destroyed before the salt of the request. */
function excerptEffects(
  id: string,
  { commit, effects }: Recording,
  held: HeldText,
  namespaceIds: readonly string[],
): Effects {
  const content = JSON.stringify(held);
  const body = { approval_id: id, namespace_ids: namespaceIds, excerpt_commitment: commit(content) };
  return effects({ kind: 'approval.excerpt', body }, { content });
}

function partsOf({ commit }: Recording, held: HeldText) {
  const { bytes, excerpt, source, metadataKeys } = heldPartsOf(held, commit);
  return {
    bytes,
    excerpt_commitment: excerpt,
    source_commitment: source,
    metadata_keys_commitment: metadataKeys,
  };
}

function commitmentsOf({ commit }: Recording, { count, filter, ids }: NonNullable<Request['selected']>) {
  return { count, ...(filter !== undefined && { filter_commitment: commit(filter) }), ids_commitment: commit(ids) };
}

/**
 * @throws Refusal approval_required with its id while it is not decided; approval_invalid when there is no such approval, it is for
 * another request, was rejected, has expired or was used. The requester of a write is shown the parts that differ; to others they
 * would say which guesses of the text are right.
 */
export function requireApproved(
  approval: ApprovalState | undefined,
  { digest, held }: Pick<Request, 'digest' | 'held'>,
  { id: callerId }: Pick<Caller['actor'], 'id'>,
  now: string,
): ApprovalState {
  if (!approval) throw new Refusal('approval_invalid', 'There is no such approval.');
  const { status } = approval;
  if (status === 'used') throw new Refusal('approval_invalid', 'This approval was used.');
  if (status === 'rejected') throw new Refusal('approval_invalid', 'This request was rejected.');
  if (approval.expiresAt <= now) throw new Refusal('approval_invalid', 'This approval has expired.');
  if (!isFor(approval, digest)) throw forAnother(approval, approval.requesterId === callerId ? held : undefined);
  if (status === 'pending') throw approvalRequired(approval.id);
  return approval;
}

/**
 * Decides a request, for a caller who is an owner or admin; see `decidersAmong`.
 * @throws Refusal approval_not_found, admin_required, approval_decided
 */
export function decideApproval(
  world: World,
  caller: Caller,
  id: string,
  decision: 'approved' | 'rejected',
): Command<{ receipt_id: string; decided_at: string }> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { governance: { approvals: [id] }, members: 'all' },
    decide({ governance, members }, recordedAt) {
      const approval = governance.approvals.get(id);
      if (!approval) throw new Refusal('approval_not_found');
      const self = caller.actor.id;
      const isOwn = approval.userId !== null && approval.userId === self;
      if (isOwn && !decidersAmong(members.values(), self).some(({ id: decider }) => decider === self)) {
        throw new Refusal('admin_required', 'This request is your own. Another owner or admin has to decide about it.');
      }
      if (approval.status !== 'pending' || approval.expiresAt <= recordedAt) throw new Refusal('approval_decided');
      const { requestedReceiptId: requested_receipt_id, namespaceIds: namespace_ids } = approval;
      const body = { approval_id: id, decision, requested_receipt_id, namespace_ids, ...excerptIn(approval) };
      return record.entry({ kind: 'approval', body }, { receipt_id: record.receipt, decided_at: recordedAt });
    },
  };
}

const partNames: Readonly<Record<HeldPart, string>> = {
  bytes: 'its length',
  beginning: 'its beginning',
  source: 'its source',
  metadata_keys: 'the keys of its metadata',
};

function forAnother({ held: approved, salt }: ApprovalState, held: HeldText | undefined): Refusal {
  const sentence = 'This approval is for another request';
  if (!approved || !held || salt === null) return new Refusal('approval_invalid', `${sentence}.`);
  const parts = differencesOf(
    approved,
    heldPartsOf(held, (text) => commit(salt, text)),
  );
  const differs = parts.length === 0 ? ['other'] : parts;
  const named = parts.map((part) =>
    part === 'bytes' ? `its length (${held.bytes} bytes, and ${approved.bytes} were approved)` : partNames[part],
  );
  const where =
    parts.length === 0
      ? 'the text after its beginning, a value of the metadata, the namespace or the caller'
      : new Intl.ListFormat('en').format(named);
  return new Refusal('approval_invalid', `${sentence}. This differs: ${where}.`, { differs });
}

/** The pending request for the same: a caller who repeats a request does not file it twice. */
function pendingFor(approvals: Approvals, digest: string, now: string): ApprovalState | undefined {
  return [...approvals.values()].find((one) => one.status === 'pending' && one.expiresAt > now && isFor(one, digest));
}

function approvalRequired(id: string): Refusal {
  return new Refusal('approval_required', undefined, { approval_id: id });
}

function isFor({ salt, commitment }: ApprovalState, digest: string): boolean {
  return salt !== null && commit(salt, digest) === commitment;
}

/** The receipt whose excerpt is destroyed with the entry. */
const excerptIn = ({ excerptReceiptId: id }: ApprovalState) => (id === null ? {} : { excerpt_receipt_id: id });

/** Ends an approval that has expired, which destroys filter and ids of a bulk delete, and the excerpt of a write. Doing it again writes nothing. */
export function endApproval(world: World, id: string): Command<void> {
  const record = recording(world);
  return {
    actor: system,
    reads: { governance: { approvals: [id] } },
    decide({ governance }, recordedAt) {
      const approval = governance.approvals.get(id);
      const isOpen = approval?.status === 'pending' || approval?.status === 'approved';
      const hasTexts = approval !== undefined && (approval.selected !== null || approval.excerptReceiptId !== null);
      if (!hasTexts || approval.ended || !isOpen || approval.expiresAt > recordedAt) return nothing(undefined);
      const { requestedReceiptId: requested_receipt_id, namespaceIds: namespace_ids } = approval;
      const body = {
        approval_id: id,
        requested_receipt_id,
        reason: 'expired',
        namespace_ids,
        ...excerptIn(approval),
      } as const;
      return record.entry({ kind: 'approval.ended', body }, undefined);
    },
  };
}
