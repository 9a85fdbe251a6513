import { describe, expect, it } from 'vitest';
import { usePeople } from '../../http/people.js';
import { stores } from '../../support/stores.js';

/** Writes that name memories which say nearly the same. The same on every store. */
describe.each(stores)('include=similar on %s', () => {
  const people = usePeople();
  const add = async (content: string, more: object = {}, path = '/v1/memories?include=similar') =>
    (await people.as('owner').call('POST', path, { content, ...more })).json;
  const recalls = async () => (await people.service().call('GET', '/v1/receipts?kind=memory.recall')).json.data.length;

  // @covers MEMORY-SIMILAR
  it.each([
    ['Die Hauptstraße nach Kiel ist bis Montag gesperrt.', 'Die Hauptstrasse nach Kiel ist bis Montag gesperrt!'],
    ['Grace drinks her coffee black.', 'Grace drinks her coffee with oat milk.'],
    ['The meeting with Ada is on 12 May at 10:00.', 'The meeting with Ada is on 14 May at 11:30.'],
    ['Bruno lives in Porto.', 'Bruno lives in Braga now.'],
    ['The gate code of the shed is 4711.', 'The gate code of the shed is 9962.'],
  ])('finds the earlier one: %s %s', async (earlier, later) => {
    const { memory_id } = await add(earlier);
    await people.service().settled();
    const before = await recalls();
    const { similar, duplicate } = await add(later);
    expect(duplicate).toBe(false);
    expect(similar[0]).toEqual({ memory_id, excerpt: earlier });
    expect(await recalls()).toBe(before);
  });

  // @covers MEMORY-SIMILAR
  it('finds none that is of something else, invalidated, in another namespace or the memory itself', async () => {
    const { id } = (await people.as('owner').call('POST', '/v1/namespaces', { name: 'elsewhere' })).json;
    const text = 'The kiln is fired on Thursdays';
    await add(`${text}.`, { namespace: id });
    const old = await add(`${text} at noon.`);
    await people.service().settled();
    await people.as('owner').call('POST', `/v1/memories/${old.memory_id}/invalidate`, { reason: 'It was changed.' });
    expect((await add(`${text} at six.`)).similar).toEqual([]);
    await people.service().settled();
    const again = await add(`${text} at six.`);
    expect([again.duplicate, again.similar]).toEqual([true, []]);
    expect((await add('Otters sleep on their backs.')).similar).toEqual([]);
  });

  // @covers MEMORY-SIMILAR
  it('cuts excerpts, names three at most, and says nothing without the parameter', async () => {
    const long = `The pilot book of the estuary, chapter %. ${'It warns of sands and shoals. '.repeat(200)}`;
    for (const n of ['one', 'two', 'three', 'four']) await add(long.replace('%', n));
    await people.service().settled();
    const { similar } = await add(long.replace('%', 'five'));
    expect(similar).toHaveLength(3);
    for (const { excerpt } of similar) expect(excerpt).toMatch(/^The pilot book .{100,160}…$/);
    expect(await add(long.replace('%', 'six'), {}, '/v1/memories')).not.toHaveProperty('similar');
    const wrong = await people.as('owner').call('POST', '/v1/memories?include=others', { content: 'x' });
    expect([wrong.status, wrong.json.error.code]).toEqual([400, 'invalid_request']);
  });

  // @covers MEMORY-SIMILAR
  it('refuses a write for its own reason, and shows nothing of a namespace that the key does not reach', async () => {
    const { id: own } = (await people.as('owner').call('POST', '/v1/namespaces', { name: 'own' })).json;
    const { key } = await people.newKey({ scopes: ['memory.write', 'memory.read'], namespace_ids: [own] });
    await add('The lock of the weir opens at dawn.');
    const content = 'The lock of the weir opens at dusk.';
    const bound = (namespace: string) =>
      people.withKey(key, 'POST', '/v1/memories?include=similar', { content, namespace });
    const elsewhere = await bound('default');
    expect([elsewhere.status, elsewhere.json.error.code]).toEqual([403, 'namespace_out_of_scope']);
    expect(JSON.stringify(elsewhere.json)).not.toContain('dawn');
    expect((await bound(own)).json.similar).toEqual([]);
    const missing = await add('The lock of the weir opens at noon.', { namespace: 'nowhere' });
    expect(missing.error.code).toBe('namespace_not_found');
  });
});
