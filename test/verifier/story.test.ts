import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../contracts/entries/catalogue.js';
import { packageRoot } from '../../src/base/package-root.js';
import { canonicalBytes } from '../../src/ledger/chain.js';
import { toBase64 } from '../../src/verifier/bytes.js';
import type { Report } from '../../src/verifier/report.js';
import { meanings } from '../../src/verifier/story/kinds.js';
import { type Trust, verifyBundle } from '../../src/verifier/verify.js';
import { easyTarget } from '../anchoring/bitcoin.js';
import { type BundleJson, encode } from './bundles.js';
import { log, trust, unplaced, whole } from './claim-of.js';

function storyOf(bundle: unknown, by: Trust = trust) {
  const { receipt } = verifyBundle(encode(bundle), by);
  if (!receipt) throw new Error('the entry cannot be read');
  return receipt;
}

/** The facts as `claim state name: values`. */
const linesOf = ({ story }: NonNullable<Report['receipt']>) =>
  story.facts.map(({ claim, state, name, values }) => `${claim} ${state} ${name}: ${values.join(' | ')}`);

const samples = join(packageRoot, 'test/corpus/entries');

describe('the story of a receipt', () => {
  it('says who did what, when and to what, each beside the claim that it depends on', () => {
    const receipt = storyOf(whole);
    const { workspace_id } = log.entries(0)[1]?.entry ?? {};
    const key = receipt.actor.id;
    expect(receipt.story.sentence).toBe(`The entry says: the API key ${key} wrote a memory.`);
    const lines = linesOf(receipt);
    expect(lines).toEqual([
      `entry verified Who: the API key ${key}`,
      'entry verified Agent: ada',
      'entry verified What: wrote a memory',
      'entry verified When: 2026-01-01T00:00:02.000Z, according to the entry',
      'entry verified Content bytes: 30',
      expect.stringMatching(/^entry verified Job: [0-9a-f-]{36}$/),
      expect.stringMatching(/^entry verified Memory: [0-9a-f-]{36}$/),
      expect.stringMatching(/^entry verified Namespace: [0-9a-f-]{36}$/),
      'entry verified Playground: no',
      'content verified Content: Ada has 2 cats — and a \u{1f408}.',
      'content verified Metadata: {"n": 2}',
      'content verified Source: chat-2',
      `inclusion verified Place: entry 2 of 7 in the chain of workspace ${workspace_id}`,
      'checkpoint verified Log: log.example/1, a checkpoint of 6 leaves',
      expect.stringMatching(/^opentimestamps verified Existed before: block 1 of Bitcoin was made, at about 20/),
    ]);
    expect(receipt).toMatchObject({
      body: { content_bytes: 30 },
      texts: { content: 'Ada has 2 cats — and a \u{1f408}.', metadata: '{"n": 2}', source: 'chat-2' },
    });
  });

  it('shows no text that the entry does not commit to, and none that the bundle does not have', () => {
    const changed = { ...whole, disclosed: { ...whole.disclosed, source: 'chat-3 of Mallory' } };
    const failed = storyOf(changed);
    expect(failed.texts).toBeNull();
    expect(linesOf(failed)).toContain(
      'content failed Content: not shown, because the entry does not commit to what the bundle has',
    );
    expect(JSON.stringify(failed)).not.toMatch(/Ada has|Mallory/);
    const { disclosed: _, ...without } = whole;
    const absent = storyOf(without);
    expect(absent.texts).toBeNull();
    expect(linesOf(absent)).toContain(
      'content absent Content: not in this bundle: it was deleted, or is not for every reader',
    );
  });

  it('says no more about time and place than was checked', () => {
    const alone: BundleJson = structuredClone(whole);
    unplaced(alone);
    const lines = linesOf(storyOf(alone));
    expect(lines).toContainEqual(expect.stringMatching(/^inclusion absent Place: entry 2 in the chain of workspace/));
    expect(lines.join('\n')).not.toMatch(/Existed before|Log:/);
    const outsider = linesOf(storyOf(whole, { keys: [], headers: () => undefined, easiest: () => easyTarget }));
    expect(outsider).toContain('checkpoint not checked Log: log.example/1, a checkpoint of 6 leaves');
    expect(outsider.join('\n')).not.toContain('Existed before');
    const other = linesOf(storyOf(whole, { ...trust, receiptHash: '0'.repeat(64) }));
    expect(other).toContain('entry failed What: wrote a memory');
  });

  it('knows every kind of entry, and shows the body of each', () => {
    expect(Object.keys(meanings).toSorted()).toEqual(Object.keys(catalogue).toSorted());
    for (const file of readdirSync(samples)) {
      const { text }: { text: string } = JSON.parse(readFileSync(join(samples, file), 'utf8'));
      const { story } = storyOf({ ...bundleOf(JSON.parse(text)) });
      expect(story.sentence, file).toMatch(/^The entry says: the .+\.$/);
      expect(story.facts.length, file).toBeGreaterThan(4);
      for (const { values } of story.facts) {
        for (const value of values) {
          expect(value.length, file).toBeLessThan(2100);
          expect(value, file).not.toMatch(/\p{C}|\[object/u);
        }
      }
    }
  });

  it('reports a kind and an actor that it does not know, in lines of limited number and length', () => {
    const [made] = log.entries(0);
    const entry = { ...made?.entry, kind: '__proto__', actor: { type: 'constructor', id: 7 } };
    const body = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`member ${at}`, Array(5).fill('x\n\u202e'.repeat(80))]),
    );
    const { story, actor } = storyOf(bundleOf({ ...entry, body }));
    expect(story.sentence).toBe('The entry says: the constructor made an entry of the kind __proto__.');
    expect(actor).toMatchObject({ type: 'constructor', id: null });
    expect(story.facts).toHaveLength(45);
    expect(story.facts.at(-2)?.values).toEqual(['and 160 more members']);
    expect(JSON.stringify(story).length).toBeLessThan(300_000);
  });
});

function bundleOf(entry: unknown) {
  return { format: 'counterfoil-proof/1', entry: toBase64(canonicalBytes(entry)), keys: [], anchors: [] };
}
