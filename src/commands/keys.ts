import { Refusal } from '../../contracts/errors.js';
import type { KeyRevoked } from '../../contracts/keys.js';
import type { World } from '../base/world.js';
import type { Caller, Scope } from '../domain/caller.js';
import type { Command } from './command.js';
import { recording } from './record.js';
import { findNamespace } from './state/namespaces.js';
import type { WorkspaceState } from './state/state.js';

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Ids or names; the default namespace when undefined. */
  readonly namespaces: readonly string[] | undefined;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly app_id: string | null;
  /** That of the first start sees all receipts, and all others what their scopes open. */
  readonly receipts?: 'all';
}

interface KeyCreated {
  readonly key_id: string;
  readonly namespace_ids: readonly string[];
  readonly created_at: string;
  readonly receipt_id: string;
}

/** Makes an API key. Only the hash of its secret is kept, in the vault. @throws Refusal as `boundTo` */
export function createKey(world: World, caller: Caller, key: NewKey, secretHash: string): Command<KeyCreated> {
  const id = world.id();
  const record = recording(world);
  const { namespaces, receipts = 'by scope' as const, ...rest } = key;
  return {
    actor: caller.actor,
    reads: { namespaces: namespaces ?? [] },
    decide(state, recordedAt) {
      const namespace_ids = boundTo(state, namespaces);
      const body = { key_id: id, ...rest, namespace_ids, secret_commitment: record.commit(secretHash), receipts };
      return record.entry(
        { kind: 'key.created', body },
        { key_id: id, namespace_ids, created_at: recordedAt, receipt_id: record.receipt },
        { content: secretHash },
      );
    },
  };
}

/** Binds a key to these namespaces and to no others; none at all denies it everything. @returns their ids */
export function bindKey(
  world: World,
  caller: Caller,
  keyId: string,
  namespaces: readonly string[],
): Command<readonly string[]> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { keys: [keyId], namespaces },
    decide(state) {
      if (!state.keys.has(keyId)) throw new Refusal('key_not_found');
      const namespace_ids = boundTo(state, namespaces);
      const body = { key_id: keyId, namespace_ids };
      return record.entry({ kind: 'key.bound', body }, namespace_ids);
    },
  };
}

interface KafkaSecretMade {
  readonly key_id: string;
  readonly secret_id: string;
  readonly created_at: string;
  readonly receipt_id: string;
}

/** Makes a secret with which records of Kafka are signed in the name of a key. It replaces the one before it. */
export function makeKafkaSecret(
  world: World,
  caller: Caller,
  keyId: string,
  secretId: string,
): Command<KafkaSecretMade> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { keys: [keyId] },
    decide(state, recordedAt) {
      if (!state.keys.has(keyId)) throw new Refusal('key_not_found');
      const body = { key_id: keyId, secret_id: secretId };
      return record.entry(
        { kind: 'key.kafka_secret_made', body },
        { ...body, created_at: recordedAt, receipt_id: record.receipt },
      );
    },
  };
}

/** Ends a key permanently and destroys the hash of its secret. */
export function revokeKey(world: World, caller: Caller, keyId: string): Command<KeyRevoked> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { keys: [keyId] },
    decide(state) {
      const key = state.keys.get(keyId);
      if (!key) throw new Refusal('key_not_found');
      const body = { key_id: keyId, created_receipt_id: key.receiptId };
      return record.entry({ kind: 'key.revoked', body }, { key_id: keyId, revoked: true, receipt_id: record.receipt });
    },
  };
}

/**
 * The ids of the namespaces that a key will be bound to.
 * @param namespaces ids or names; the default namespace when undefined
 * @throws Refusal namespace_required, namespace_not_found, namespace_deleted
 */
export function boundTo(state: WorkspaceState, namespaces: readonly string[] | undefined): readonly string[] {
  const ids = (namespaces ?? [undefined]).map((idOrName) => {
    const found = findNamespace(state.namespaces, idOrName);
    if (!found) throw new Refusal(idOrName === undefined ? 'namespace_required' : 'namespace_not_found');
    if (found.deleted) throw new Refusal('namespace_deleted');
    return found.id;
  });
  return [...new Set(ids)];
}
