import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chainKind } from '../../contracts/chains.js';
import {
  catalogue,
  erasedBy,
  isEntryKind,
  namespacesOf,
  requiredNamespaces,
  vaultUseOf,
} from '../../contracts/entries/catalogue.js';
import { actor } from '../../contracts/entries/entry.js';
import { packageRoot } from '../../src/base/package-root.js';
import { canonicalBytes, entryHash, link, readEntry } from '../../src/ledger/chain.js';

interface Sample {
  /** The stored bytes of the entry as text. */
  readonly text: string;
  /** The receipt hash under which they were stored. */
  readonly hash: string;
  /** What the catalogue has said about the entry since the day on which the sample was frozen. */
  readonly means: unknown;
}

/** Entries as they stand in chains for ever. A file is added for a new kind or body; none is ever changed. */
const directory = join(packageRoot, 'test/corpus/entries');
const samples = readdirSync(directory).map((file) => {
  const sample: Sample = JSON.parse(readFileSync(join(directory, file), 'utf8'));
  return { name: file.replace('.json', ''), ...sample };
});

describe('frozen entries', () => {
  it('has one of every kind', () => {
    const kinds = samples.map(({ text }) => readEntry(text).kind);
    expect([...new Set(kinds)].sort()).toEqual(Object.keys(catalogue).sort());
  });

  it.each(samples)('$name is read, and means what it meant', ({ name, text, hash, means }) => {
    const entry = readEntry(text);
    const { chain, audience, action, memories, body, version } = catalogue[entry.kind];
    expect(name.split('--')[0]).toBe(entry.kind);
    expect([entry.v, chain]).toEqual([version, chainKind(entry.workspace_id)]);
    expect(body.safeParse(entry.body).error).toBeUndefined();
    expect(actor.safeParse(entry.actor).error).toBeUndefined();
    const rules = {
      chain,
      audience,
      action,
      memories,
      namespaces: namespacesOf(entry),
      requires: requiredNamespaces(entry),
      vault: vaultUseOf(entry),
      erases: erasedBy(entry),
    };
    expect(rules).toEqual(means);
    const bytes = Buffer.from(text, 'utf8');
    expect(entryHash(bytes)).toBe(hash);
    expect(Buffer.from(canonicalBytes(JSON.parse(text))).equals(bytes)).toBe(true);
  });

  it('reads no kind that it does not know', () => {
    const text = JSON.stringify({ v: 1, workspace_id: 'w', seq: 7, kind: 'memory.dreamt', body: {} });
    expect(() => readEntry(text)).toThrow('entry 7 of w has the kind memory.dreamt, which this version does not know');
    expect(isEntryKind('toString')).toBe(false);
  });
});

describe('appending', () => {
  const workspace = '01919f3a-5c00-7a10-8a4e-2f6f0d1c9b01';
  const head = { seq: 0, hash: '0'.repeat(64) };
  const none = { user_id: null, agent_id: null, app_id: null, run_id: null };
  const common = {
    receipt_id: 'rcp_1',
    recorded_at: '2026-03-14T09:26:53.589Z',
    actor: { type: 'system', id: null, ...none },
  } as const;

  it('refuses a body that is not what the catalogue says, before anything is hashed', () => {
    const body = { name: 'A workspace', colour: 'blue' };
    expect(() => link(workspace, head, [{ ...common, kind: 'workspace.renamed', body }])).toThrow(
      'the body of a workspace.renamed is not what the catalogue says',
    );
  });

  it('refuses an entry that belongs in another kind of chain', () => {
    const body = { index: 0, leaf: '{}' };
    expect(() => link(workspace, head, [{ ...common, kind: 'log.key_added', body }])).toThrow(
      `an entry of the kind log.key_added does not belong in the chain ${workspace}`,
    );
  });
});
