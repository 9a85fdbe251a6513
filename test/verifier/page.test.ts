import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { fromBase64, fromUtf8, toHex, toUtf8 } from '../../src/verifier/bytes.js';
import { leafHash } from '../../src/verifier/merkle.js';
import { formatVerifierKey, parseNote } from '../../src/verifier/note.js';
import { verifyBundle } from '../../src/verifier/verify.js';
import { easyTarget } from '../anchoring/bitcoin.js';
import { type BundleJson, createLog, encode } from './bundles.js';

const path = join(packageRoot, 'docs/guides/write-a-verifier.md');
const page = readFileSync(path, 'utf8');
const log = await createLog('log.example/1', 'page');
const bundle = await log.bundle();

const sha256 = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest('hex');
const hmac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('hex');
const block = (language: string, text: string) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;
const hexes = (values: readonly string[] = []) => values.map((value) => toHex(fromBase64(value))).join('\n');

/** The hashes from a leaf up to the root, by RFC 9162 §2.1.3.2. */
function climb(leaf: string, index: number, size: number, proof: readonly string[]): string[] {
  let [node, last] = [index, size - 1];
  const hashes = [leaf];
  for (const sibling of proof.map(fromBase64)) {
    while (node % 2 === 0 && node === last) [node, last] = [node >> 1, last >> 1];
    const below = Buffer.from(hashes.at(-1) ?? '', 'hex');
    const [left, right] = node % 2 === 1 ? [sibling, below] : [below, sibling];
    hashes.push(sha256(Uint8Array.of(1), left, right));
    [node, last] = [node >> 1, last >> 1];
  }
  return hashes;
}

/** The part of the page between its marks. */
function example({ entry, disclosed, inclusion = [], head, checkpoint = '', keys, anchors }: BundleJson): string {
  if (!disclosed || !head) throw new Error('the example shows its content and its head');
  const bytes = fromBase64(entry);
  const { seq, workspace_id }: { seq: number; workspace_id: string } = JSON.parse(fromUtf8(bytes));
  const leaf = fromUtf8(fromBase64(head.leaf));
  const { size }: { size: number } = JSON.parse(leaf);
  const { text, signatures } = parseNote(toUtf8(checkpoint));
  const logSize = Number(text.split('\n')[1]);
  const salt = fromBase64(disclosed.salt);
  const [anchor] = anchors;
  const later = parseNote(toUtf8(anchor?.checkpoint ?? '')).text;
  const report = verifyBundle(encode(bundle), { keys: [log.keys[0], log.witness], easiest: () => easyTarget });
  const [first, second] = keys.map((key) => fromUtf8(fromBase64(key.leaf)));
  return [
    'The bundle:\n',
    block('json', JSON.stringify(bundle, null, 2)),
    'The keys that are trusted, the first of the log and one of a witness:\n',
    block('text', [log.keys[0], log.witness].map(formatVerifierKey).join('\n')),
    `The entry (${bytes.length} bytes) and its hash:\n`,
    block('text', `${fromUtf8(bytes)}\n${toHex(leafHash(bytes))}`),
    'HMAC of content, metadata and source with the salt:\n',
    block(
      'text',
      [disclosed.content, disclosed.metadata, disclosed.source].map((one) => hmac(salt, one ?? '')).join('\n'),
    ),
    `The head leaf, HMAC of the workspace id with the tag key, and the hashes from leaf ${seq - 1} of ${size} to the root:\n`,
    block(
      'text',
      [
        leaf,
        hmac(fromBase64(head.tag_key), workspace_id),
        ...climb(toHex(leafHash(bytes)), seq - 1, size, inclusion),
      ].join('\n'),
    ),
    `The text of the checkpoint, and the hashes from leaf ${head.index} of ${logSize}, the head, to the root:\n`,
    block('text', text + climb(toHex(leafHash(fromBase64(head.leaf))), head.index, logSize, head.inclusion).join('\n')),
    'Key ids and signatures of the checkpoint, in hex:\n',
    block('text', signatures.map(({ name, keyId, signature }) => `${name} ${keyId} ${toHex(signature)}`).join('\n')),
    'The leaves of the two keys; the first endorses the second:\n',
    block('text', `${first}\n${second}`),
    'The text of the later checkpoint, the hashes of the proof to it, and SHA-256 of the text, which was anchored:\n',
    block('text', `${later}${hexes(anchor?.consistency)}\n${sha256(toUtf8(later))}`),
    'The claims:\n',
    block('text', report.claims.map(({ name, state, text: said }) => `${name}: ${state}. ${said}`).join('\n')),
  ].join('\n');
}

describe('the page about verifiers', () => {
  it('has the values of the example as they are (vitest -u writes them)', async () => {
    const [before = '', rest = ''] = page.split('<!-- example -->\n');
    const [, after = ''] = rest.split('<!-- end of example -->\n');
    const written = `${before}<!-- example -->\n\n${example(bundle)}\n<!-- end of example -->\n${after}`;
    await expect(written).toMatchFileSnapshot(path);
  });

  it('leads from each leaf to the root that it shows', () => {
    const text = page.split('<!-- example -->')[1] ?? '';
    const { root }: { root: string } = JSON.parse(fromUtf8(fromBase64(bundle.head?.leaf ?? '')));
    const logRoot = parseNote(toUtf8(bundle.checkpoint ?? '')).text.split('\n')[2] ?? '';
    for (const hex of [root, toHex(fromBase64(logRoot))]) expect(text).toContain(`${hex}\n\`\`\``);
  });
});
