import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { type Reader, signedInReader } from '../../pages/reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };

describe('checks and rebuilds on the page of operations, without scripts', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  beforeAll(async () => {
    service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password });
    person = await signedIn(service, ada);
    owner = await signedInReader(service, ada);
    await person.call('POST', '/v1/memories', { content: 'The heron waits in the reeds.' }, { prefer: 'wait=10' });
    await service.settled();
  });
  afterAll(() => service.stop());

  const page = async (path = '/operations') => (await owner.get(path)).text;
  /** The page when no job is in progress any more. */
  async function ended(): Promise<string> {
    for (;;) {
      const text = await page();
      if (!text.includes('<cf-again')) return text;
      await new Promise((next) => setTimeout(next, 50));
    }
  }
  const newest = async () => (await person.call('GET', '/v1/operations/jobs')).json.data[0];

  it('start a check, show its progress and refuse a second one, and then show the result', async () => {
    expect(await page()).toContain('How long it takes is known when the first one has ended.');
    const fields = { ...(await owner.get('/operations')).hidden('/operations'), do: 'fsck' };
    const begun = await owner.post('/operations', fields);
    expect([begun.status, begun.headers.get('location')]).toEqual([303, '/operations?started=check']);
    const second = await owner.post('/operations', { ...fields, once: crypto.randomUUID() });
    expect([second.status, second.text.includes('operation_running'), second.text.includes('<cf-again')]).toEqual([
      409,
      true,
      true,
    ]);
    // The same form again is not a second job.
    expect((await owner.post('/operations', fields)).status).toBe(303);
    const text = await ended();
    expect(text).toContain('found no fault');
    expect(text).toMatch(
      /The last one took (less than 1 s|\d+ s) for \d+ entries\. At that rate the \d+ entries of now take (less than 1 s|about \d+ s)\./,
    );
    const { job_id } = await newest();
    expect(await page(`/operations?job=${job_id}`)).toMatch(/No fault in \d+ entries of \d+ chains/);
  });

  it('rebuild one read model or all, and refuse one that is not there', async () => {
    const start = (read_model: string) => owner.send('/operations', '/operations', { do: 'replay', read_model });
    expect((await start('receipts')).headers.get('location')).toBe('/operations?started=rebuild');
    expect(await ended()).toContain('Rebuild of receipts');
    expect((await start('all')).status).toBe(303);
    expect(await ended()).toContain('Rebuild of everything');
    const refused = await start('nothing');
    expect([refused.status, refused.text.includes('invalid_request')]).toEqual([400, true]);
  });

  it('name the faults that a check has found, and why one could not be carried out', async () => {
    const { database } = service.app;
    await database.transaction((tx) => tx.query("update namespaces set name = '<b>changed</b>'"));
    await owner.send('/operations', '/operations', { do: 'fsck' });
    expect(await ended()).toMatch(/found \d+ faults?/);
    const { job_id, fault_count } = await newest();
    expect(fault_count).toBeGreaterThan(0);
    const shown = await page(`/operations?job=${job_id}`);
    expect(shown).toMatch(/<h3>Faults<\/h3>/);
    expect(shown).not.toContain('<b>changed');
    await database.transaction((tx) => tx.query("update projections set version = 0 where name = 'namespace'"));
    await owner.send('/operations', '/operations', { do: 'fsck' });
    expect(await ended()).toContain('failed');
    expect(await page(`/operations?job=${(await newest()).job_id}`)).toContain(
      'as another version of Counterfoil made it',
    );
  });

  it('are for operators only, and say that a job is not there', async () => {
    const { json } = await person.call('POST', '/v1/members', { email: 'grace@example.org', role: 'admin' });
    const grace = await signedInReader(service, { email: 'grace@example.org', password: json.password });
    const { token = '' } = (await grace.get('/people')).hidden('/people');
    expect([
      (await grace.get('/operations')).status,
      (await grace.post('/operations', { token, once: crypto.randomUUID(), do: 'fsck' })).status,
    ]).toEqual([403, 403]);
    const absent = await owner.get(`/operations?job=${crypto.randomUUID()}`);
    expect([absent.status, absent.text.includes('job_not_found')]).toEqual([200, true]);
  });
});
