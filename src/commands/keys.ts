import { Refusal } from '../../contracts/errors.js';
import { receiptId, type World } from '../base/world.js';
import type { Caller, Scope } from '../domain/caller.js';
import { commit } from '../ledger/chain.js';
import { boundTo } from './binding.js';
import type { Command } from './command.js';

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Ids or names; the default namespace when undefined. */
  readonly namespaces: readonly string[] | undefined;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly app_id: string | null;
}

export interface KeyCreated {
  readonly key_id: string;
  readonly namespace_ids: readonly string[];
  readonly created_at: string;
  readonly receipt_id: string;
}

/** Makes an API key. Only the hash of its secret is kept, in the vault. @throws Refusal as `boundTo` */
export function createKey(world: World, caller: Caller, key: NewKey, secretHash: string): Command<KeyCreated> {
  const id = world.id();
  const receipt = receiptId(world);
  const salt = world.random(32);
  const { namespaces, ...rest } = key;
  return {
    actor: caller.actor,
    reads: { namespaces: namespaces ?? [] },
    decide(state, recordedAt) {
      const namespace_ids = boundTo(state, namespaces);
      const body = { key_id: id, ...rest, namespace_ids, secret_commitment: commit(salt, secretHash) };
      return {
        drafts: [{ kind: 'key.created', receipt_id: receipt, body }],
        deposits: [{ receiptId: receipt, salt, texts: { content: secretHash } }],
        answer: () => ({ key_id: id, namespace_ids, created_at: recordedAt, receipt_id: receipt }),
      };
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
  const receipt = receiptId(world);
  return {
    actor: caller.actor,
    reads: { keys: [keyId], namespaces },
    decide(state) {
      if (!state.keys.has(keyId)) throw new Refusal('key_not_found');
      const namespace_ids = boundTo(state, namespaces);
      const body = { key_id: keyId, namespace_ids };
      return {
        drafts: [{ kind: 'key.bound', receipt_id: receipt, body }],
        deposits: [],
        answer: () => namespace_ids,
      };
    },
  };
}

export interface KafkaSecretMade {
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
  const receipt = receiptId(world);
  return {
    actor: caller.actor,
    reads: { keys: [keyId] },
    decide(state, recordedAt) {
      if (!state.keys.has(keyId)) throw new Refusal('key_not_found');
      const body = { key_id: keyId, secret_id: secretId };
      return {
        drafts: [{ kind: 'key.kafka_secret_made', receipt_id: receipt, body }],
        deposits: [],
        answer: () => ({ ...body, created_at: recordedAt, receipt_id: receipt }),
      };
    },
  };
}

export interface KeyRevoked {
  readonly key_id: string;
  readonly revoked: true;
  readonly receipt_id: string;
}

/** Ends a key permanently and destroys the hash of its secret. */
export function revokeKey(world: World, caller: Caller, keyId: string): Command<KeyRevoked> {
  const receipt = receiptId(world);
  return {
    actor: caller.actor,
    reads: { keys: [keyId] },
    decide(state) {
      const key = state.keys.get(keyId);
      if (!key) throw new Refusal('key_not_found');
      const body = { key_id: keyId, created_receipt_id: key.receiptId };
      return {
        drafts: [{ kind: 'key.revoked', receipt_id: receipt, body }],
        deposits: [],
        answer: () => ({ key_id: keyId, revoked: true, receipt_id: receipt }),
      };
    },
  };
}
