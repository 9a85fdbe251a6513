import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../../src/domain/caller.js';
import { parseNote } from '../../../../src/verifier/note.js';
import { onlyOwner } from '../../../../src/workers/lease.js';
import { checkBundle } from '../../../anchoring/bundles.js';
import type { Behaviour } from '../../../anchoring/calendar.js';
import { type Installation, newInstallation, origin, type Process } from '../../../anchoring/installation.js';

let installation: Installation;
let service: Process;
let caller: Caller;

beforeAll(async () => {
  installation = await newInstallation();
});
afterAll(() => installation.close());
/** Each test begins with a new process, everything in Bitcoin, and then one new workspace. */
beforeEach(async () => {
  behave('well', 'well', 'well');
  installation.lie(null);
  service = await installation.start({ owner: onlyOwner });
  await round();
  mine();
  await round();
  caller = await installation.store.openWorkspace();
});

/** Everything that the steps of a round did. */
async function round(process = service): Promise<string[]> {
  const reports = await process.round();
  return reports?.flatMap(({ done }) => done) ?? ['another process is at it'];
}

function behave(...behaviours: Behaviour[]): void {
  for (const [at, how] of behaviours.entries()) installation.calendars[at]?.behave(how);
}

function mine(): void {
  for (const calendar of installation.calendars) calendar.broadcast();
  installation.chain.mine(6);
}

const stateOf = async (receipt: string) => (await installation.anchorOf(caller, receipt)).state;
const signedAtAll = async () => (await installation.kinds()).filter((kind) => kind === 'checkpoint.signed').length;

describe('calendars', () => {
  it('that are all down are asked once afterwards, and the log says so once', async () => {
    behave('down', 'failing', 'down');
    const before = installation.submissions();
    for (let i = 0; i < 4; i += 1) {
      await installation.write(caller, `memory ${i}`);
      expect(await round()).toEqual(['signed']);
    }
    expect(service.warnings).toHaveLength(1);
    expect(service.warnings[0]).toContain('fewer than 2 calendars answered');
    expect(service.failing().get('submit')).toContain('fewer than 2 calendars answered');
    behave('well', 'well', 'well');
    expect(await round()).toEqual(['submitted']);
    expect(service.failing().size).toBe(0);
    expect((await service.health()).unanchored).toBe(4);
    expect(installation.submissions()).toBe(before + 4 + 1);
    mine();
    expect(await round()).toEqual(['attested', 'confirmed']);
  });

  it.each<Behaviour>(['down', 'garbage', 'slow', 'huge', 'redirecting'])('of which one is %s do', async (how) => {
    behave(how);
    const receipt = await installation.write(caller, 'first');
    expect(await round()).toEqual(['signed', 'submitted']);
    mine();
    expect(await round()).toEqual(['attested', 'confirmed']);
    expect(await stateOf(receipt)).toBe('confirmed');
  });

  it.each<Behaviour>(['garbage', 'slow', 'huge', 'redirecting'])('of which two are %s do not', async (how) => {
    behave(how, how);
    await installation.write(caller, 'first');
    expect(await round()).toEqual(['signed']);
    behave('well', 'well');
    expect(await round()).toEqual(['submitted']);
  });

  it('that go down after they have promised are asked again', async () => {
    await round();
    mine();
    behave('slow', 'slow', 'slow');
    expect(await round()).toEqual([]);
    expect(await round()).toEqual([]);
    expect(service.warnings).toHaveLength(1);
    behave('down', 'down', 'well');
    expect(await round()).toEqual(['attested', 'confirmed']);
  });

  it('that forget leave their checkpoint to what comes after it', async () => {
    behave('forgetful', 'forgetful', 'forgetful');
    const receipt = await installation.write(caller, 'first');
    expect(await round()).toEqual(['signed', 'submitted']);
    mine();
    expect(await round()).toEqual([]);
    expect(await stateOf(receipt)).toBe('submitted');
    behave('well', 'well', 'well');
    await installation.write(caller, 'second');
    expect(await round()).toEqual(['signed', 'submitted']);
    mine();
    expect(await round()).toEqual(['attested', 'confirmed']);
    expect(await stateOf(receipt)).toBe('confirmed');
    expect(checkBundle(await service.bundle(caller, receipt))?.anchors).toEqual([
      { of: 'its own', state: 'not checked' },
      { of: 'a later one', state: 'verified' },
    ]);
  });
});

describe('Bitcoin', () => {
  it('that cannot be asked keeps nothing but the confirmation', async () => {
    const blind = await installation.start({ owner: onlyOwner, bitcoin: 'http://127.0.0.1:1' });
    await round(blind);
    mine();
    expect(await round(blind)).toEqual(['attested']);
    expect(await round(blind)).toEqual([]);
    expect(blind.failing().get('confirm')).toContain('cannot be reached');
    expect(blind.warnings).toHaveLength(1);
    expect(await round()).toEqual(['confirmed']);
  });

  it('is not believed when its headers are others', async () => {
    const receipt = await installation.write(caller, 'first');
    await round();
    mine();
    const first = Buffer.from(installation.chain.block(1)?.header ?? []).toString('hex');
    installation.lie(() => first);
    expect(await round()).toEqual(['attested']);
    expect(service.failing().get('confirm')).toContain('another header');
    installation.lie(null);
    expect(await round()).toEqual(['confirmed']);
    expect(await stateOf(receipt)).toBe('confirmed');
  });

  it('may replace a block before it was seen, and after', async () => {
    const receipt = await installation.write(caller, 'first');
    await round();
    mine();
    const blind = await installation.start({ owner: onlyOwner, bitcoin: null });
    expect(await round(blind)).toEqual(['attested']);
    installation.chain.reorganise(7);
    expect(await round()).toEqual(['lost']);
    expect(await stateOf(receipt)).toBe('submitted');
    expect(await round()).toEqual([]);
    installation.chain.mine(6);
    expect(await round()).toEqual(['attested', 'confirmed']);
    installation.chain.reorganise(7);
    expect(await round()).toContain('lost');
    expect(await stateOf(receipt)).toBe('submitted');
    installation.chain.mine(7);
    expect(await round()).toEqual(expect.arrayContaining(['attested', 'confirmed']));
    expect(checkBundle(await service.bundle(caller, receipt))?.anchors).toEqual([{ of: 'its own', state: 'verified' }]);
  });

  it('that loses one block after the other is looked for less and less often, and not forever', async () => {
    const receipt = await installation.write(caller, 'first');
    await round();
    mine();
    const lose = async () => {
      installation.chain.reorganise(7);
      expect(await round()).toEqual(['lost']);
      installation.chain.mine(7);
    };
    const blind = await installation.start({ owner: onlyOwner, bitcoin: null });
    for (let loss = 1; loss <= 3; loss += 1) {
      expect(await round(blind)).toEqual(['attested']);
      await lose();
    }
    expect(await round(blind)).toEqual([]);
    await installation.store.sql(`update anchors set lost_at = lost_at - interval '61 minutes' where losses = 3`);
    expect(await round(blind)).toEqual(['attested']);
    await lose();
    await installation.store.sql(`update anchors set lost_at = lost_at - interval '61 minutes' where losses = 4`);
    expect(await round(blind)).toEqual([]);
    await installation.store.sql(
      `update anchors set losses = 12, lost_at = lost_at - interval '9 years' where losses = 4`,
    );
    expect(await round(blind)).toEqual([]);
    expect(await stateOf(receipt)).toBe('submitted');
    await installation.store.sql('update anchors set losses = 0 where losses = 12');
    expect(await round()).toEqual(['attested', 'confirmed']);
  });
});

describe('the key directory', () => {
  const file = () => join(installation.keys, 'signing-keys.json');
  const last = () => join(installation.keys, 'last-signed.json');

  async function refuses(damage: () => void, reason: string, repair: () => void): Promise<void> {
    const signed = await signedAtAll();
    damage();
    expect(await round()).toEqual([]);
    expect(await round()).toEqual([]);
    expect(service.failing().get('checkpoint')).toContain(reason);
    expect((await service.health()).failing.get('checkpoint')).toBe(true);
    expect(service.warnings).toHaveLength(1);
    const receipt = await installation.write(caller, reason);
    expect(checkBundle(await service.bundle(caller, receipt))).toBeNull();
    expect(await signedAtAll()).toBe(signed);
    repair();
    expect(await round()).toEqual(['signed', 'submitted']);
    expect(checkBundle(await service.bundle(caller, receipt))).not.toBeNull();
  }

  it('must have the keys of a log that has keys', () =>
    refuses(
      () => renameSync(file(), `${file()}.away`),
      'Put their backup there',
      () => renameSync(`${file()}.away`, file()),
    ));

  it('must not be readable by others', () =>
    refuses(
      () => chmodSync(file(), 0o640),
      'chmod 600',
      () => chmodSync(file(), 0o600),
    ));

  it('must not be broken', () => {
    renameSync(file(), `${file()}.away`);
    return refuses(
      () => writeFileSync(file(), '{"format":', { mode: 0o600 }),
      'is not a key file',
      () => renameSync(`${file()}.away`, file()),
    );
  });

  it('must not remember something that no one can have signed', () => {
    renameSync(last(), `${last()}.away`);
    return refuses(
      () => writeFileSync(last(), ''),
      'last-signed.json is not what this service has written',
      () => renameSync(`${last()}.away`, last()),
    );
  });

  it.each([
    ['ahead of the store', 1_000_000, 'the log in this store has only'],
    ['beside it', 2, 'the log in this store has another root at that size'],
  ])('must not be %s', (_, size, reason) => {
    renameSync(last(), `${last()}.away`);
    return refuses(
      () => writeFileSync(last(), JSON.stringify({ size, root: '00'.repeat(32) })),
      reason,
      () => renameSync(`${last()}.away`, last()),
    );
  });

  it('keeps the name of the log when its address changes', async () => {
    const moved = await installation.start({ owner: onlyOwner, origin: 'elsewhere.example.org' });
    expect(await round(moved)).toEqual(['signed', 'submitted']);
    const note = parseNote(Buffer.from((await installation.latest())?.note ?? ''));
    expect(note.text.split('\n')[0]).toBe(origin);
  });
});
