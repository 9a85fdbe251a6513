import { describe, expect, it } from 'vitest';
import { createAttestationChecks } from '../../src/commands/check-attestations.js';
import { attestedBytes } from '../../src/domain/task/attestations.js';
import type { SubmittedTask } from '../../src/domain/task/submitted.js';
import { canonical } from '../../src/verifier/canonical.js';
import { compact, envelope, keys, type Signer, signer } from '../domain/signers.js';
import { newTask } from '../support/tasks.js';

const rowsOf = (known: readonly Signer[]) =>
  known.map(({ known: { publicKey } }, n) => ({ signer: `key-${n}`, publicKey, handle: null }));

/** A receipt of about 64 KiB with this number of attestations. */
function signedTask(id: string, by: Signer, count: number, padding: number): SubmittedTask {
  const members = { declared_scope: Array.from({ length: 250 }, (_, n) => `${n}`.padEnd(padding, 'x')) };
  const { task } = newTask(id, { task: members }).submitted;
  const payload = attestedBytes(canonical(task));
  const one = (n: number) =>
    n % 2 === 0
      ? { type: 'jws', jws: compact(by, { alg: by.alg }, payload).replace(/\.[^.]*\./, '..') }
      : { type: 'dsse', envelope: { ...envelope(by, {}, payload) } };
  const attestations = Array.from({ length: count }, (_, n) => one(n));
  const sent = { ...task, attestations };
  return { task: sent, scopeViolations: null, privateText: null, canonical: canonical(sent) };
}

/** How often other work of the thread could run meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const watch = () => {
    turns += 1;
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  await work();
  isDone = true;
  return turns;
}

describe('the attestations of a batch', () => {
  it('let other work run after each receipt of 64 KiB and after each signature', async () => {
    const signers = await Promise.all([signer('P-256', ''), signer('Ed25519', ''), signer('Ed25519', '')]);
    const [, , by] = signers;
    if (!by) throw new Error('there is no signer');
    const check = createAttestationChecks(async () => rowsOf(signers), keys);
    const tasks = Array.from({ length: 20 }, (_, n) => signedTask(`task ${n}`, by, 16, 60));
    const turns = await turnsDuring(async () => {
      const checks = await check('', tasks);
      expect(checks.flat().every(({ signer: name }) => name === 'key-2')).toBe(true);
      expect(checks.flat()).toHaveLength(320);
    });
    expect(turns).toBeGreaterThanOrEqual(340);
  });

  it('that have none, or none that can be checked, ask for no keys', async () => {
    const check = createAttestationChecks(() => Promise.reject(new Error('no keys are needed')), keys);
    const photo = newTask('a', { task: { attestations: [{ type: 'photo' }] } }).submitted;
    expect(await check('', [photo, newTask('b').submitted])).toEqual([[{ state: 'not_checked', signer: null }], []]);
  });
});
