import { keysOf } from '../../../projections/account/queries.js';
import { agentKeysNamed } from '../../../projections/agents/keys.js';
import { distinct, type Slice, stepwise, without, withoutNamespace } from './slice.js';

interface KeyState {
  readonly id: string;
  /** The namespaces that the key is bound to. */
  readonly namespaceIds: readonly string[];
  /** Of the entry that created the key. */
  readonly receiptId: string;
}

/** By id. */
type Keys = ReadonlyMap<string, KeyState>;

/** The keys with these ids that are not revoked. */
export const keys: Slice<readonly string[], Keys> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const rows = await keysOf(tx, workspaceId, distinct(reads));
    return new Map(
      rows.map(({ id, receipt_id, namespace_ids }) => [id, { id, namespaceIds: namespace_ids, receiptId: receipt_id }]),
    );
  },
  evolve: stepwise({
    'key.created': (before, { entry }) => {
      const { key_id: id, namespace_ids: namespaceIds } = entry.body;
      return new Map(before).set(id, { id, namespaceIds, receiptId: entry.receipt_id });
    },
    'key.bound': (before, { entry }) => {
      const key = before.get(entry.body.key_id);
      return key ? new Map(before).set(key.id, { ...key, namespaceIds: entry.body.namespace_ids }) : before;
    },
    'key.revoked': (before, { entry }) => without(before, entry.body.key_id),
    'namespace.deleted': (before, { entry }) => withoutNamespace(before, entry.body.namespace_id),
  }),
};

export interface AgentKeyState {
  readonly id: string;
  /** The link of the agent that the key is for. */
  readonly linkId: string;
  /** The namespaces that the key is bound to. */
  readonly namespaceIds: readonly string[];
  /** Of the entry that created the key. */
  readonly receiptId: string;
}

/** By id. */
type AgentKeys = ReadonlyMap<string, AgentKeyState>;

/** The keys of agents with these ids, or of these links, that are not revoked. */
export const agentKeys: Slice<readonly string[], AgentKeys> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const rows = await agentKeysNamed(tx, workspaceId, distinct(reads));
    return new Map(
      rows.map(({ id, link_id, namespace_ids, receipt_id }) => [
        id,
        { id, linkId: link_id, namespaceIds: namespace_ids, receiptId: receipt_id },
      ]),
    );
  },
  evolve: stepwise({
    'agent_key.created': (before, { entry }) => {
      const { key_id: id, link_id: linkId, namespace_ids: namespaceIds } = entry.body;
      return new Map(before).set(id, { id, linkId, namespaceIds, receiptId: entry.receipt_id });
    },
    'agent_key.bound': (before, { entry }) => {
      const key = before.get(entry.body.key_id);
      return key ? new Map(before).set(key.id, { ...key, namespaceIds: entry.body.namespace_ids }) : before;
    },
    'agent_key.revoked': (before, { entry }) => without(before, entry.body.key_id),
    'namespace.deleted': (before, { entry }) => withoutNamespace(before, entry.body.namespace_id),
  }),
};
