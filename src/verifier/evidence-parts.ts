import type { Json } from './json.js';
import { bytes, count, object, proof } from './shape.js';

/** A leaf of a log, with its inclusion proof for a checkpoint of the same evidence. */
export interface LeafProof {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly inclusion: readonly Uint8Array[];
}

/** The result of evaluating an evidence file. */
export interface Verdict {
  /** Whether the file alone proves that the log has contradicted itself. */
  readonly proven: boolean;
  /** A sentence that says what is proven, or why nothing is. */
  readonly text: string;
  /** The verifier keys whose signatures were checked. */
  readonly signers: readonly string[];
}

export function readLeafProof(value: Json, what: string): LeafProof {
  const { leaf, index, inclusion } = object(value, what, ['leaf', 'index', 'inclusion']);
  return {
    leaf: bytes(leaf, `the leaf of ${what}`, 65_535),
    index: count(index, `the index of ${what}`),
    inclusion: proof(inclusion, `the proof of ${what}`),
  };
}
