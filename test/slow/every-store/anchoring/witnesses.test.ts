import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { logChain } from '../../../../contracts/log.js';
import { keyStore, readSigningKeys } from '../../../../src/adapters/signing-keys.js';
import { parseNote, verifyNote } from '../../../../src/verifier/note.js';
import { onlyOwner } from '../../../../src/workers/lease.js';
import { type Installation, newInstallation, origin, type Process } from '../../../anchoring/installation.js';
import { startWitness, type WitnessBehaviour, type WitnessServer } from '../../../anchoring/witness.js';

let installation: Installation;
let service: Process;
let witnesses: readonly [WitnessServer, WitnessServer];

const logKeys = async () => readSigningKeys(installation.keys)?.keys.map(({ signer }) => signer.key) ?? [];
const start = () => installation.start({ owner: onlyOwner, witnesses: witnesses.map(({ setting }) => setting) });

beforeAll(async () => {
  installation = await newInstallation();
  witnesses = [await startWitness('w.example.org/1', logKeys), await startWitness('w.example.org/2', logKeys)];
  service = await start();
});
afterAll(async () => {
  await Promise.all(witnesses.map((witness) => witness.close()));
  await installation.close();
});
/** Each test begins with everything signed by all, and then one new workspace. */
beforeEach(async () => {
  for (const witness of witnesses) witness.behave('well');
  await round();
  await installation.store.openWorkspace();
});

async function round(process = service): Promise<string[]> {
  const reports = await process.round();
  return reports?.flatMap(({ done }) => done) ?? ['another process is at it'];
}

/** Names of those whose signature of the newest checkpoint is right. */
async function signers(): Promise<string[]> {
  const note = parseNote(Buffer.from((await installation.latest())?.note ?? '', 'utf8'));
  const keys = [...(await logKeys()), ...witnesses.map(({ setting }) => setting.key)];
  const signed = verifyNote(note, keys);
  if (typeof signed === 'string') throw new Error(signed);
  return signed.map(({ key }) => key.name).sort();
}

const everybody = [origin, 'w.example.org/1', 'w.example.org/2'];

it('sign each checkpoint once, beside the log', async () => {
  expect(await round()).toEqual(['signed', 'submitted', 'cosigned']);
  expect(await signers()).toEqual(everybody);
  const asked = witnesses.map(({ statuses }) => statuses.length);
  expect(await round()).toEqual([]);
  expect(witnesses.map(({ statuses }) => statuses.length)).toEqual(asked);
  expect(witnesses[0].statuses.at(-1)).toBe(200);
  const [row] = await installation.store.sql<{ witnesses: string }>(
    `select convert_from(bytes, 'UTF8')::json #>> '{body,witnesses}' as witnesses from entries
      where chain = $1 order by seq desc limit 1`,
    [logChain],
  );
  expect(row?.witnesses).toBe('["w.example.org/1","w.example.org/2"]');
});

it('say what they have signed to a process that does not know', async () => {
  const before = witnesses[0].statuses.length;
  expect(await round(await start())).toEqual(['signed', 'submitted', 'cosigned']);
  expect(witnesses[0].statuses.slice(before)).toEqual([409, 200]);
  expect(await signers()).toEqual(everybody);
});

it('sign again what they have signed when no one has kept it', async () => {
  await installation.store.openWorkspace();
  const alone = await installation.start({ owner: onlyOwner });
  await round(alone);
  const { size = 0, root = new Uint8Array() } = (await installation.latest()) ?? {};
  witnesses[0].last = { size, root };
  expect(await round(await start())).toEqual(['cosigned']);
  expect(await signers()).toEqual(everybody);
});

it.each<WitnessBehaviour>([
  'down',
  'slow',
  'huge',
  'garbage',
  'forging',
  'sizeless',
])('keep no one waiting when one is %s', async (how) => {
  const fresh = await start();
  witnesses[0].behave(how);
  expect(await round(fresh)).toEqual(['signed', 'submitted', 'cosigned']);
  expect(await signers()).toEqual([origin, 'w.example.org/2']);
  expect(await round(fresh)).toEqual([]);
  expect(fresh.warnings).toHaveLength(1);
  expect(fresh.failing().has('cosign')).toBe(true);
  witnesses[0].behave('well');
  expect(await round(fresh)).toEqual(['cosigned']);
  expect(fresh.failing().size).toBe(0);
  expect(await signers()).toEqual(everybody);
});

it.each([
  ['more leaves than there are', 1_000_000, 'has signed 1000000 leaves'],
  ['another tree', null, 'and not those of this log'],
])('stop the log when they have signed %s, until someone has decided', async (_, size, reason) => {
  const { last } = witnesses[0];
  await round(await installation.start({ owner: onlyOwner }));
  const now = (await installation.latest())?.size ?? 0;
  witnesses[0].last = { size: size ?? now, root: new Uint8Array(32) };
  expect(await round()).toEqual(['cosigned']);
  expect(service.failing().get('cosign')).toContain(reason);
  expect(await signers()).toEqual([origin, 'w.example.org/2']);

  const caller = await installation.store.openWorkspace();
  expect(await round()).toEqual([]);
  const restarted = await start();
  expect(await round(restarted)).toEqual([]);
  expect((await installation.latest())?.size).toBe(now);
  expect(restarted.failing().get('checkpoint')).toContain('counterfoil log resume');
  const health = await restarted.health();
  expect(health.warnings).toEqual([expect.stringContaining('a witness has signed more of it, or something else')]);
  expect(health.failing.get('checkpoint')).toBe(true);
  const receipt = await installation.write(caller, 'under no checkpoint');
  const bundle = await restarted.bundle(caller, receipt);
  expect(bundle).toMatchObject({ unplaced: expect.stringContaining('The transparency log is not signed') });
  expect(bundle).not.toHaveProperty('checkpoint');

  keyStore(installation.keys, origin, () => new Date()).objections.dismiss();
  expect(await round(restarted)).toContain('signed');
  expect((await restarted.health()).warnings).toEqual([]);
  // What was decided about stays decided, though the witness continues saying it.
  expect(await round(await start())).not.toContain('another process is at it');
  expect(await installation.start().then((one) => one.transparencyLog.refusal())).toBeNull();
  witnesses[0].last = last;
});
