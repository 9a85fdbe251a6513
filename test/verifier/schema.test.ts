import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { fromBase64, fromUtf8 } from '../../src/verifier/bytes.js';
import { onEthereum } from '../ethereum/bundles.js';
import { type BundleJson, type Choices, createLog } from './bundles.js';
import { seededRandom } from './mutations.js';
import { searchBundle } from './search-bundle.js';

const schema = JSON.parse(readFileSync(join(packageRoot, 'contracts/proof-bundle.v1.schema.json'), 'utf8'));
const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false }).addSchema(schema);
const faultsOf = (value: unknown, part = ''): string => {
  const ok = ajv.validate(`${schema.$id}${part}`, value);
  return ok ? '' : ajv.errorsText();
};
const parsed = (encoded = ''): unknown => JSON.parse(fromUtf8(fromBase64(encoded)));

const log = await createLog('log.example/1', 'schema');
const choices: readonly Choices[] = [
  {},
  { workspace: 1, seq: 2, disclosed: false },
  { anchor: 'this', headers: false },
  { anchor: 'promised' },
  { size: 9, anchor: 'none' },
];

describe('the schema of bundles', () => {
  it.each(choices)('allows the bundle of %j, its head and its keys', async (choice) => {
    const bundle = await log.bundle(choice);
    expect(faultsOf(bundle)).toBe('');
    expect(faultsOf(parsed(bundle.head?.leaf), '#/$defs/headLeaf')).toBe('');
    for (const { leaf } of bundle.keys) expect(faultsOf(parsed(leaf), '#/$defs/keyLeaf')).toBe('');
  });

  it('allows one without a checkpoint, and anchors of types to come', async () => {
    const { format, entry } = await log.bundle();
    expect(faultsOf({ format, entry, keys: [], anchors: [] })).toBe('');
    expect(faultsOf(searchBundle('who?', 'who?'))).toBe('');
    const bundle = await log.bundle();
    expect(faultsOf({ ...bundle, anchors: [...bundle.anchors, { type: 'carrier-pigeon', any: 1 }] })).toBe('');
  });

  it('allows anchors on Ethereum, and none that verifiers refuse', async () => {
    const { bundle, anchor } = await onEthereum(await log.bundle(), seededRandom(1));
    expect(faultsOf(bundle)).toBe('');
    for (const wrong of [
      { ...anchor, more: 1 },
      { ...anchor, proof: Array(25).fill('0x') },
      { ...anchor, header: '0xABCD' },
      { ...anchor, contract: '0x00' },
      { ...anchor, consistency: undefined },
    ]) {
      expect(faultsOf(JSON.parse(JSON.stringify({ ...bundle, anchors: [wrong] })))).not.toBe('');
    }
    expect(faultsOf({ ...bundle, anchors: [anchor, anchor, anchor] })).not.toBe('');
  });

  it.each<[string, (bundle: BundleJson) => unknown]>([
    ['another format', (bundle) => ({ ...bundle, format: 'counterfoil-proof/2' })],
    ['unknown members', (bundle) => ({ ...bundle, more: 1 })],
    ['parts of a place', ({ head: _, ...rest }) => rest],
    ['keys without a checkpoint', ({ head: _, inclusion: __, checkpoint: ___, ...rest }) => rest],
    ['five timestamps', (bundle) => ({ ...bundle, anchors: Array(5).fill(bundle.anchors[0]) })],
    ['a later checkpoint without a proof', (b) => ({ ...b, anchors: [{ ...b.anchors[0], consistency: undefined }] })],
    ['base64 that is none', (bundle) => ({ ...bundle, entry: 'A' })],
  ])('does not allow %s', async (_, change) => {
    expect(faultsOf(JSON.parse(JSON.stringify(change(await log.bundle()))))).not.toBe('');
  });
});
