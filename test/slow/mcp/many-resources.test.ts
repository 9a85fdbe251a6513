import { expect, it } from 'vitest';
import { usePeople } from '../../http/people.js';
import { connected, send } from '../../mcp/connected.js';

const people = usePeople();

// @covers MCPT-RESOURCES-LIST MCPT-COMPLETION
it('the newest 1,000 of 1,050 memories are listed as resources, 100 a page, also while others are written', async () => {
  const service = people.service();
  const write = (n: number) => service.call('POST', '/v1/memories', { content: `Letter number ${n} about the tides.` });
  for (let from = 0; from < 1050; from += 50) await Promise.all(Array.from({ length: 50 }, (_, n) => write(from + n)));
  await people.settled();
  const { id } = (await people.as('owner').call('POST', '/v1/agents', { agent_id: `agn_${'k'.repeat(32)}` })).json;
  const { key } = (await people.as('owner').call('POST', `/v1/agents/${id}/keys`, { name: 'desk' })).json;
  const client = await connected(service, key);
  const pages: string[][] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.listResources(cursor === undefined ? {} : { cursor });
    pages.push(page.resources.map(({ uri }) => uri));
    if (pages.length === 2) {
      await write(2000);
      await people.settled();
    }
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  await client.close();
  expect(pages.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 100));
  const uris = pages.flat();
  expect(new Set(uris).size).toBe(1000);
  expect(uris).toEqual([...uris].sort().reverse());
  const ref = { type: 'ref/resource', uri: 'memory://{id}' };
  for (const value of ['', 'tides', uris[500]?.slice(9, 15) ?? '']) {
    const { result } = await send(service, key, 'completion/complete', { ref, argument: { name: 'id', value } });
    expect(result.completion).toMatchObject({ values: { length: 100 }, hasMore: true });
  }
});
