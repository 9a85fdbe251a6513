import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { canonicalBytes, commit } from '../../src/ledger/chain.js';
import { toBase64 } from '../../src/verifier/bytes.js';
import { type BundleJson, seeded } from './bundles.js';

const salt = seeded('salt of a task');
const samples = join(packageRoot, 'test/corpus/entries');

function frozen(name: string) {
  const { text }: { text: string } = JSON.parse(readFileSync(join(samples, `${name}.json`), 'utf8'));
  return JSON.parse(text);
}

/** Everything that a bundle of a task receipt is made of. The rest is that of a frozen entry. */
export interface TaskParts {
  /** Members of the task that replace or complete those of the frozen one. */
  readonly task?: object;
  /** The same for the body. */
  readonly body?: object;
  /** The private text that the entry commits to; null for none. */
  readonly privateText?: string | null;
  /** The part of it that the bundle shows. */
  readonly shown?: string | null;
  readonly sample?: 'task' | 'task--public';
}

/** A bundle without a checkpoint, whose entry is a task receipt. */
export function taskBundle({ task, body, privateText = null, shown = privateText, sample = 'task' }: TaskParts = {}) {
  const entry = frozen(sample);
  const content_commitment = privateText === null ? null : commit(salt, privateText);
  const whole = { ...entry.body, task: { ...entry.body.task, ...task }, content_commitment, ...body };
  const bundle: BundleJson = {
    format: 'counterfoil-proof/1',
    entry: toBase64(canonicalBytes({ ...entry, body: whole })),
    keys: [],
    anchors: [],
  };
  if (shown === null) return bundle;
  return { ...bundle, disclosed: { salt: toBase64(salt), content: shown, metadata: null, source: null } };
}
