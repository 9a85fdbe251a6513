import { beforeAll, describe, expect, it } from 'vitest';
import { code, usePeople } from '../../http/people.js';
import { type Person, signedIn } from '../../http/person.js';
import { stores } from '../../support/stores.js';

const jobs = '/v1/operations/jobs';
const fsck = '/v1/operations/fsck';
const replay = '/v1/operations/replay';

describe.each(stores)('the jobs of operators on %s', () => {
  const people = usePeople();
  const owner = () => people.as('owner');
  const ended = async (id: string) => {
    for (;;) {
      const { json } = await owner().call('GET', `${jobs}/${id}`);
      if (json.ended_at !== null) return json;
      await new Promise((next) => setTimeout(next, 25));
    }
  };
  const start = async (path: string, body: object = {}) => {
    const { status, json } = await owner().call('POST', path, body);
    expect([status, json.url]).toEqual([202, `${jobs}/${json.job_id}`]);
    return json.job_id as string;
  };
  const written = async (content: string): Promise<string> =>
    (await owner().call('POST', '/v1/memories', { content }, { prefer: 'wait=10' })).json.memory_id;
  let memory: string;
  beforeAll(async () => {
    memory = await written('The heron waits in the reeds.');
    await people.settled();
  });

  it('a check of a sound store ends without a fault, and the list has it first', async () => {
    const id = await start(fsck);
    const job = await ended(id);
    expect(job).toMatchObject({
      job_id: id,
      kind: 'fsck',
      read_models: null,
      state: 'done',
      entries: expect.any(Number),
      progress: { part: expect.any(String), done: expect.any(Number), total: expect.any(Number) },
      fault_count: 0,
      result: expect.stringMatching(/^No fault in \d+ entries of \d+ chains and what was derived from them\.$/),
      failure_reason: null,
      faults: [],
    });
    const { json, headers } = await owner().call('GET', jobs);
    const { faults, ...listed } = job;
    expect([json.data[0], headers.get('cache-control')]).toEqual([listed, 'no-store']);
    expect(json.entries).toBeGreaterThanOrEqual(job.entries);
    expect(json.read_models).toContain('receipts');
  });

  it('a replay rebuilds what it is given, or everything, and what is written meanwhile stays', async () => {
    const some = await ended(await start(replay, { read_models: ['receipts', 'namespace', 'receipts'] }));
    expect(some).toMatchObject({
      kind: 'replay',
      read_models: ['receipts', 'namespace'],
      state: 'done',
      fault_count: null,
    });
    expect(some.result).toMatch(/^receipts: rebuilt from \d+ entries\nnamespace: rebuilt from \d+ entries$/);
    const id = await start(replay);
    const meanwhile = await written('The reeds are cut in autumn.');
    const all = await ended(id);
    const { json } = await owner().call('GET', jobs);
    expect([all.state, all.read_models]).toEqual(['done', null]);
    expect(all.result.split('\n').map((line: string) => line.split(':')[0])).toEqual(json.read_models);
    for (const one of [memory, meanwhile]) expect((await owner().call('GET', `/v1/memories/${one}`)).status).toBe(200);
    expect((await ended(await start(fsck))).fault_count).toBe(0);
  });

  it('a replay of what is no read model is refused, and nothing is queued', async () => {
    const before = (await owner().call('GET', jobs)).json.data;
    for (const read_models of [
      ['receipts', 'nothing'],
      [],
      [1],
      'receipts',
      ['elasticsearch'],
      Array(101).fill('receipts'),
    ])
      expect(code(await owner().call('POST', replay, { read_models }))).toEqual([400, 'invalid_request']);
    expect(code(await owner().call('POST', fsck, { read_models: ['receipts'] }))).toEqual([400, 'invalid_request']);
    expect((await owner().call('GET', jobs)).json.data).toEqual(before);
  });

  // @covers ERR-operation_running
  it('a second job of a kind is refused with the id of the one in progress, and a repeated call is not a second one', async () => {
    const key = { 'idempotency-key': 'check-once' };
    const first = await owner().call('POST', fsck, {}, key);
    const { job_id: id } = first.json;
    const second = await owner().call('POST', fsck, {});
    expect([...code(second), second.json.error.details.job_id]).toEqual([409, 'operation_running', id]);
    expect((await owner().call('POST', fsck, {}, key)).json).toEqual(first.json);
    // The other kind does not wait for it.
    expect((await ended(await start(replay, { read_models: ['namespace'] }))).state).toBe('done');
    expect((await ended(id)).state).toBe('done');
    expect((await owner().call('POST', fsck, {}, key)).json).toEqual(first.json);
  });

  it('a changed read model and a lost text are faults of the job, and a replay repairs the first', async () => {
    const lost = await written('A text that is lost.');
    await people.settled();
    await people.service().app.database.transaction(async (tx) => {
      await tx.query('delete from vault where receipt_id in (select receipt_id from receipts where memory_id = $1)', [
        lost,
      ]);
      await tx.query("update namespaces set name = 'another'");
    });
    const found = await ended(await start(fsck));
    expect([found.state, found.result, found.failure_reason]).toEqual(['done', null, null]);
    expect(found.faults[0]).toMatch(/^content lost: memory /);
    expect(found.faults.filter((one: string) => one.includes('namespaces'))).not.toEqual([]);
    expect(found.fault_count).toBeGreaterThanOrEqual(found.faults.length);
    await ended(await start(replay));
    const after = await ended(await start(fsck));
    expect(after.faults.filter((one: string) => one.includes('namespaces'))).toEqual([]);
    expect(after.faults.join()).toContain('content lost');
  });

  it('a job that cannot be carried out says why', async () => {
    const { database } = people.service().app;
    await database.transaction((tx) =>
      tx.query("update projections set version = version - 1 where name = 'namespace'"),
    );
    const job = await ended(await start(fsck));
    expect([job.state, job.fault_count]).toEqual(['failed', null]);
    expect(job.failure_reason).toContain('The store holds "namespace" as another version of Counterfoil made it.');
    await database.transaction((tx) =>
      tx.query("update projections set version = version + 1 where name = 'namespace'"),
    );
  });

  it('of each kind the newest 20 are kept', async () => {
    for (let n = 0; n < 21; n += 1) await ended(await start(replay, { read_models: ['namespace'] }));
    const { data } = (await owner().call('GET', jobs)).json;
    expect(data.filter(({ kind }: { kind: string }) => kind === 'replay')).toHaveLength(20);
  });

  it('only operators start, list and see them', async () => {
    const id = await start(replay, { read_models: ['namespace'] });
    await ended(id);
    const { workspaceId } = await people.admin().workspace();
    const outsider = await signedIn(people.service(), await people.admin().member(workspaceId, 'owner'));
    const calls = (who: Pick<Person, 'call'>) =>
      Promise.all(
        [
          ['POST', fsck, {}],
          ['POST', replay, {}],
          ['GET', jobs],
          ['GET', `${jobs}/${id}`],
        ].map(async ([method, path, body]) => code(await who.call(String(method), String(path), body))),
      );
    const four = (one: unknown) => [one, one, one, one];
    for (const who of [outsider, people.as('admin'), people.as('member'), people.as('reader')])
      expect(await calls(who)).toEqual(four([403, 'admin_required']));
    expect(await calls(people.service() as never)).toEqual(four([403, 'user_session_required']));
    expect(code(await owner().call('GET', `${jobs}/${workspaceId}`))).toEqual([404, 'job_not_found']);
    expect(code(await owner().call('GET', `${jobs}/nothing`))).toEqual([404, 'job_not_found']);
  });
});
