import { z } from 'zod';
import type { ChainKind } from '../chains.js';

/** Lowercase hex of HMAC-SHA-256(salt, UTF-8 bytes). The salt is in the vault and is destroyed together with the text. */
export const commitment = z.string();
export type Commitment = z.output<typeof commitment>;

/** The commitments of an entry by the name of the text that each of them hides. Null: there is no such text. */
type Commitments = Readonly<Record<string, Commitment | null>>;

/**
 * What an entry has in the vault: texts that open its commitments, only the salt of a commitment whose text is never
 * stored, or nothing.
 */
export type VaultUse = { readonly texts: Commitments } | 'salt only' | 'nothing';

/** Whom the receipts of a kind are shown to, besides the people of the workspace (`src/domain/receipt-access.ts`). */
export type Audience =
  /** Every key that is bound to all namespaces which the entry concerns. */
  | 'memory'
  /** Only keys with the scope receipts.read, and that of the first start: such entries name people, keys and agents of the whole workspace. */
  | 'governance'
  /** Everybody: the entry belongs to the public registry of the installation. */
  | 'public'
  /** No one through the API: the entry belongs to the installation. */
  | 'installation';

/** The places in which readers of a receipt find the texts that its entry has in the vault. */
type Disclosure =
  | 'nowhere'
  /** In the proof bundle of the receipt. */
  | 'in bundles'
  /** The same, and with the receipt itself. Such texts can be erased while the receipt stays. */
  | 'with receipts';

/** Everything that depends on the kind of an entry, with one body shape `B`. */
export interface KindRow<B> {
  /** The kind of chain that has entries of this kind. */
  readonly chain: ChainKind;
  /** The member `v` of the entry. A body that changes in a way that readers must know about gets the next number. */
  readonly version: 1;
  /** The shape of the body today. The runner refuses to append anything else. */
  readonly body: z.ZodType<B>;
  /**
   * Applied in this order to every stored body before it is read. Each adds what bodies from before some version do not
   * have, and leaves a current body unchanged.
   */
  readonly upcasts: readonly ((stored: B) => B)[];
  readonly audience: Audience;
  /** Whether the meter counts it as an action of the workspace. */
  readonly action: boolean;
  /** The change in the number of memories of the workspace. */
  readonly memories: -1 | 0 | 1;
  /** The namespaces that it concerns: a key sees the receipt only while it is bound to all of them. */
  namespaces(body: B): readonly string[];
  /** The namespaces that a key must be bound to at the moment of the append. */
  requires(body: B): readonly string[];
  vault(body: B): VaultUse;
  readonly discloses: Disclosure;
  /** Receipts whose texts and salts are destroyed in the transaction that applies the entry. */
  erases(body: B): readonly string[];
}

type Definition<B> = Pick<KindRow<B>, 'body' | 'audience'> & Partial<Omit<KindRow<B>, 'body' | 'audience'>>;

/** A row of the catalogue. A member that is left out means: in a workspace's chain, no action, nothing in the vault. */
export function entryKind<B>(definition: Definition<B>): KindRow<B> {
  const namespaces = definition.namespaces ?? (() => []);
  return {
    chain: 'workspace',
    version: 1,
    upcasts: [],
    action: false,
    memories: 0,
    requires: namespaces,
    vault: () => 'nothing',
    discloses: 'nowhere',
    erases: () => [],
    ...definition,
    namespaces,
  };
}
