import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fromBase64 } from '../../src/verifier/bytes.js';
import { verifyConsistency, verifyInclusion } from '../../src/verifier/merkle.js';
import type { Outcome } from './vector.js';

const bytes = z.string().transform(fromBase64);
const proof = z
  .array(bytes)
  .nullable()
  .transform((hashes) => hashes ?? []);
const wantErr = z.boolean();
const inclusionVector = z.object({
  leafIdx: z.number(),
  treeSize: z.number(),
  root: bytes,
  leafHash: bytes,
  proof,
  wantErr,
});
const consistencyVector = z.object({
  size1: z.number(),
  size2: z.number(),
  root1: bytes,
  root2: bytes,
  proof,
  wantErr,
});

/** RFC 6962 inclusion proofs, most of them wrong. */
export function* inclusion(folder: string): Generator<Outcome> {
  for (const { name, json } of vectors(folder)) {
    const { leafIdx, treeSize, leafHash, wantErr, ...rest } = inclusionVector.parse(json);
    const fault = verifyInclusion({ leaf: leafHash, index: leafIdx, size: treeSize, ...rest });
    yield { name, right: (fault !== null) === wantErr };
  }
}

/** RFC 6962 consistency proofs, most of them wrong. */
export function* consistency(folder: string): Generator<Outcome> {
  for (const { name, json } of vectors(folder)) {
    const { size1, size2, root1, root2, proof, wantErr } = consistencyVector.parse(json);
    const fault = verifyConsistency({ from: size1, fromRoot: root1, to: size2, toRoot: root2, proof });
    yield { name, right: (fault !== null) === wantErr };
  }
}

function* vectors(folder: string): Generator<{ name: string; json: unknown }> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.json')) yield { name, json: JSON.parse(readFileSync(join(folder, name), 'utf8')) };
  }
}
