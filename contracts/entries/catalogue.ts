import { accessKinds } from './access.js';
import { approvalKinds } from './approval.js';
import { decisionKinds } from './decisions.js';
import { grantKinds } from './grants.js';
import type { Audience, KindRow, VaultUse } from './kind.js';
import { logKinds } from './log.js';
import { memoryKinds } from './memory.js';
import { namespaceKinds } from './namespace.js';
import { registryKinds } from './registry.js';
import { taskKinds } from './task.js';
import { workspaceKinds } from './workspace.js';

const rows = {
  ...workspaceKinds,
  ...namespaceKinds,
  ...accessKinds,
  ...memoryKinds,
  ...approvalKinds,
  ...logKinds,
  ...taskKinds,
  ...registryKinds,
  ...decisionKinds,
  ...grantKinds,
};

type BodyOf<R> = R extends KindRow<infer B> ? B : never;

/** The body of every kind of entry. */
export type Bodies = { readonly [K in keyof typeof rows]: BodyOf<(typeof rows)[K]> };

export type EntryKind = keyof Bodies;

/**
 * One row for each kind of entry: everything that depends on the kind. To add a kind, add its row, and a frozen sample under
 * test/corpus. Readers of entries ask the row; none of them looks at the name of a kind to find out what it may do.
 */
export const catalogue: { readonly [K in EntryKind]: KindRow<Bodies[K]> } = rows;

/** A kind with its body: what an entry says, without its place in a chain. */
interface KindAndBody<K extends EntryKind> {
  readonly kind: K;
  readonly body: Bodies[K];
}

export function namespacesOf<K extends EntryKind>({ kind, body }: KindAndBody<K>): readonly string[] {
  return catalogue[kind].namespaces(body);
}

export function requiredNamespaces<K extends EntryKind>({ kind, body }: KindAndBody<K>): readonly string[] {
  return catalogue[kind].requires(body);
}

export function vaultUseOf<K extends EntryKind>({ kind, body }: KindAndBody<K>): VaultUse {
  return catalogue[kind].vault(body);
}

/** The receipts whose rows of the vault are destroyed with this entry. */
export function erasedBy<K extends EntryKind>({ kind, body }: KindAndBody<K>): readonly string[] {
  return catalogue[kind].erases(body);
}

/** Converts a stored body to the current shape. */
export function currentBody<K extends EntryKind>({ kind, body }: KindAndBody<K>): Bodies[K] {
  return catalogue[kind].upcasts.reduce((older, upcast) => upcast(older), body);
}

export function isEntryKind(kind: string): kind is EntryKind {
  return Object.hasOwn(catalogue, kind);
}

/** The kinds that are shown to an audience. */
export function kindsFor(audience: Audience): EntryKind[] {
  return Object.keys(catalogue)
    .filter(isEntryKind)
    .filter((kind) => catalogue[kind].audience === audience);
}
