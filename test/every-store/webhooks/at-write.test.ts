import { beforeAll, describe, expect, it } from 'vitest';
import { useHooks } from '../../http/hooks.js';
import { stores } from '../../support/stores.js';
import { eventually } from '../../support/until.js';

/** Memories that are ready when they are written: no job finds out which webhooks are notified of them. */
describe.each(stores)('webhooks of memories that are indexed with their write, on %s', () => {
  const hooks = useHooks();
  let agent: string;
  beforeAll(async () => {
    agent = await hooks.agent();
  });
  const noted = async () => {
    const rows = await hooks
      .service()
      .app.database.read((tx) => tx.query<{ id: string }>('select memory_id::text as id from admissions'));
    return rows.map(({ id }) => id);
  };
  const deliveries = async (id: string) =>
    (await hooks.by(agent, 'GET', `/v1/webhooks/${id}/deliveries`)).json.data.map(
      (one: { memory_id: string }) => one.memory_id,
    );

  // @covers JOB-AT-WRITE HOOK-PATTERN
  it('are notified of those that match, once each, and nothing is noted before there is a webhook', async () => {
    const before = await hooks.write('The heron came before anyone listened.');
    expect(await noted()).toEqual([]);
    const { id } = await hooks.hook(agent, '/at-write', { contains: 'heron' });
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push(await hooks.write(`The heron number ${n} is at the weir.`));
    const other = await hooks.write('The otter is at the weir.');
    await eventually(async () => (await noted()).length === 0 && (await deliveries(id)).length === 20);
    const sent = await deliveries(id);
    expect([...sent].sort()).toEqual([...ids].sort());
    expect(sent).not.toContain(before);
    expect(sent).not.toContain(other);
  });

  it('are not notified of a memory that was deleted before they were found', async () => {
    const { id } = await hooks.hook(agent, '/deleted', { contains: 'bittern' });
    // A worker that finds it there may be as quick as the delete: then its delivery is dropped with the memory.
    const gone = await hooks.write('The bittern booms.');
    await hooks.as('owner').call('DELETE', `/v1/memories/${gone}`);
    const there = await hooks.write('The bittern booms again.');
    await eventually(async () => (await noted()).length === 0 && (await deliveries(id)).length > 0);
    expect(await deliveries(id)).toEqual([there]);
  });
});
