import { beforeAll, describe, expect, it } from 'vitest';
import { code, usePeople } from '../../http/people.js';
import { eagerWorld } from '../../http/service.js';
import { stores } from '../../support/stores.js';

/** Numbers of which JSON.parse makes the same float, or that it rounds. */
const [even, odd, other] = ['9007199254740992', '9007199254740993', '9007199254740995'];
const tickets = [even, odd, `${other}.0`, '0.1', '0.1000000000000000055', '1e400', `"${odd}"`];

describe.each(stores)('numbers of filters that floats do not keep, on %s', () => {
  const people = usePeople({}, eagerWorld);
  let key: string;
  const call = (method: string, path: string, body?: string) => people.withKey(key, method, path, body);
  const write = (ticket: string) =>
    call('POST', '/v1/memories', `{"content":"ticket ${tickets.indexOf(ticket)}","metadata":{"ticket":${ticket}}}`);
  /** The tickets as their memories say them. */
  const said = (texts: readonly string[]) => texts.map((text) => tickets[Number(text.split(' ')[1])]).sort();
  const search = async (filters: string): Promise<unknown> => {
    const { json } = await call('POST', '/v1/memories/search', `{"query":"ticket","k":50,"filters":${filters}}`);
    return json.error?.code ?? said(json.data.map((hit: { content: string }) => hit.content));
  };
  const list = async (value: string): Promise<unknown> => {
    const { json } = await call('GET', `/v1/memories?metadata[ticket]=${encodeURIComponent(value)}`);
    return said(json.data.map((one: { excerpt: string }) => one.excerpt));
  };
  beforeAll(async () => {
    ({ key } = await people.newKey());
    for (const ticket of tickets) expect((await write(ticket)).status).toBe(202);
    await people.settled();
  });

  // @covers FILTER-NUMBERS
  it.each<[string, readonly (string | undefined)[]]>([
    [odd, [odd]],
    [`${odd}.00`, [odd]],
    [`{"eq":${even}}`, [even]],
    [`{"in":[1,${odd},${other}]}`, [odd, `${other}.0`]],
    [`{"gt":${odd}}`, [`${other}.0`, '1e400']],
    [`{"gte":${odd},"lt":1e400}`, [odd, `${other}.0`]],
    [`{"lte":${even},"ne":0.1000000000000000055}`, [even, '0.1']],
    [`{"lt":0.1000000000000000055}`, ['0.1']],
    ['0.10', ['0.1']],
    ['10000e396', ['1e400']],
    ['9007199254740994', []],
    [`"${odd}"`, [`"${odd}"`]],
  ])('a search for %s finds exactly those', async (test, found) => {
    expect(await search(`{"metadata":{"ticket":${test}}}`)).toEqual([...found].sort());
    expect(await search(`{"all":[{"any":[{"metadata":{"ticket":${test}}}]}]}`)).toEqual([...found].sort());
  });

  // @covers FILTER-NUMBERS
  it('a list finds the number and the text', async () => {
    expect(await list(odd)).toEqual([`"${odd}"`, odd].sort());
    expect(await list(`${other}`)).toEqual([`${other}.0`]);
    expect(await list('0.1')).toEqual(['0.1']);
    expect(await list('1e400')).toEqual(['1e400']);
    expect(await list('1e4000')).toEqual([]);
    expect(await search('{"metadata":{"ticket":1e4000}}')).toBe('invalid_filters');
  });

  // @covers FILTER-NUMBERS
  it('an agent finds the same', async () => {
    const linked = await people.as('owner').call('POST', '/v1/agents', { agent_id: `agn_${'a'.repeat(32)}` });
    const ofAgent = (await people.as('owner').call('POST', `/v1/agents/${linked.json.id}/keys`, { name: 'desk' })).json;
    const recall = (args: string) =>
      people
        .service()
        .call(
          'POST',
          '/mcp',
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":${args}}}`,
          { authorization: `Bearer ${ofAgent.key}`, 'content-type': 'application/json' },
        );
    const { json } = await recall(`{"query":"ticket","filters":{"metadata":{"ticket":${odd}}}}`);
    expect(json.error).toBeUndefined();
    expect(json.result.structuredContent.data).toMatchObject([{ content: 'ticket 1' }]);
  });

  // @covers FILTER-NUMBERS
  it('an approval to delete holds for the number that was sent, and no other', async () => {
    const remove = (ticket: string, more = '') =>
      call('POST', '/v1/memories/delete', `{"filters":{"metadata":{"ticket":${ticket}}}${more}}`);
    const held = await remove(odd);
    expect(code(held)).toEqual([409, 'approval_required']);
    const id = held.json.error.details.approval_id;
    const shown = await call('GET', `/v1/approvals/${id}/memories`);
    expect(shown.text).toContain(`"filter":{"filters":{"metadata":{"ticket":${odd}}}}`);
    expect(shown.json).toMatchObject({ count: 1, data: [{ excerpt: 'ticket 1' }] });
    const receipt = (await people.as('owner').call('POST', `/v1/approvals/${id}/approve`)).json.receipt_id;
    const approved = `,"approval_receipt_id":"${receipt}"`;
    expect(code(await remove(even, approved))[1]).toBe('approval_invalid');
    expect((await remove(`${odd}.0`, approved)).json).toMatchObject({ left: 0, deleted: [{ deleted: true }] });
    expect(await list(odd)).toEqual([`"${odd}"`]);
    expect(await list(even)).toEqual([even]);
  });
});
