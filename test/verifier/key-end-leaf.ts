import { canonicalBytes } from '../../src/ledger/chain.js';
import type { NoteSigner } from '../../src/tlog/note-writer.js';
import { fromUtf8, toBase64, toUtf8 } from '../../src/verifier/bytes.js';

/** The end of a key as a leaf of the log that the signers are keys of. */
export function keyEndLeaf(
  { key }: NoteSigner,
  reason: 'retired' | 'disowned',
  after: number,
  ...signers: NoteSigner[]
): Uint8Array {
  const { name, publicKey } = key;
  const leaf = {
    after,
    algorithm: 'ed25519',
    log: signers[0]?.key.name ?? name,
    name,
    public_key: toBase64(publicKey),
    reason,
    type: 'key_end',
    v: 1,
  };
  const message = toUtf8(`counterfoil-key-end/1\n${fromUtf8(canonicalBytes(leaf))}`);
  const endorsements = signers.map((one) => ({ key_id: one.key.id, signature: toBase64(one.sign(message)) }));
  return canonicalBytes({ ...leaf, endorsements });
}
