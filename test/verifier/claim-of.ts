import { expect } from 'vitest';
import { fromBase64, fromUtf8, toBase64, toUtf8 } from '../../src/verifier/bytes.js';
import type { Claim } from '../../src/verifier/report.js';
import { type Trust, verifyBundle } from '../../src/verifier/verify.js';
import { easyTarget } from '../anchoring/bitcoin.js';
import { type BundleJson, createLog, encode } from './bundles.js';

export const log = await createLog('log.example/1', 'verify');
export const other = await createLog('other.example/1', 'other');
export const trust = { keys: [log.keys[0], log.witness], easiest: () => easyTarget };
export const whole = await log.bundle();

export type Change = (bundle: BundleJson) => void;

/** The claim about a bundle in which something was changed. */
export function claim(name: Claim['name'], change: Change = () => undefined, by: Trust = trust, from = whole): Claim {
  const bundle = structuredClone(from);
  change(bundle);
  const found = verifyBundle(encode(bundle), by).claims.find((one) => one.name === name);
  if (!found) throw new Error(`there is no claim ${name}`);
  return found;
}

export const text = (state: Claim['state'], pattern: RegExp) => ({ state, text: expect.stringMatching(pattern) });
export const entryOf = ({ entry }: BundleJson) => fromUtf8(fromBase64(entry));
export const rewrite = (replace: (text: string) => string) => (bundle: BundleJson) => {
  bundle.entry = toBase64(toUtf8(replace(entryOf(bundle))));
};
export const flipped = (encoded = '', at = 0) => {
  const bytes = fromBase64(encoded);
  return toBase64(bytes.with(at, (bytes[at] ?? 0) ^ 1));
};
export const headOf = ({ head }: BundleJson) => head ?? { leaf: '', tag_key: '', index: 0, inclusion: [] };
export const leafOf = (bundle: BundleJson) => {
  const { leaf, index, inclusion } = headOf(bundle);
  return { leaf, index, inclusion };
};
/** Nothing that is about a place in a log. */
export const unplaced: Change = (bundle) => {
  for (const key of ['inclusion', 'head', 'checkpoint'] as const) delete bundle[key];
  Object.assign(bundle, { keys: [], anchors: [] });
};
