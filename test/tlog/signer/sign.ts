import type { LogEvent } from '../../../src/tlog/record.js';
import { faultOfStore, signedNote } from '../../../src/tlog/signer.js';
import { type SigningParts, signNext } from '../../../src/tlog/signing.js';
import { toHex } from '../../../src/verifier/bytes.js';
import type { ModelStore } from './store.js';

/** `turns` is the signer. `sizes` is the rule of earlier versions: every directory signs whose record the store extends. */
export type Rule = 'turns' | 'sizes';

function heads(from: number, leaves: readonly string[]): LogEvent {
  return {
    kind: 'log.heads_added',
    body: { from, heads: leaves.map((leaf) => ({ workspace_id: '', size: 0, leaf })) },
  };
}

/** Signs what was written since, by the signer's own code. */
export const signTurns = (parts: SigningParts, store: ModelStore): Promise<void> =>
  signNext(parts, {
    async extension() {
      const { head: seen, size, newest } = await parts.chain.state();
      const leaves = store.pending();
      if (leaves.length > 0) return { seen, leaves: [heads(size, leaves)], size: size + leaves.length };
      return size > (newest?.size ?? 0) ? { seen, leaves: [], size } : null;
    },
    signingKeys: async () => parts.keys.read()?.keys ?? [],
  });

/** The steps of earlier versions, in their order: leaves, record, signature, note. */
export async function signSizes({ keys, chain }: SigningParts, store: ModelStore): Promise<void> {
  const before = await chain.state();
  const leaves = store.pending();
  if (leaves.length > 0) await chain.append(before.head, heads(before.size, leaves));
  const { head, size, latest } = await chain.state();
  if (size === 0 || latest?.size === size) return;
  const root = await chain.rootAt(size);
  if ((await faultOfStore(keys.place, keys.record(), { size, rootAt: chain.rootAt })) !== null) return;
  keys.write({ size, root: toHex(root), turn: null, before: null });
  const note = signedNote(keys, keys.read()?.keys ?? [], { size, root });
  await chain.append(head, { kind: 'checkpoint.signed', body: { size, root: toHex(root), note } });
}
