import { describe, expect, it } from 'vitest';
import { ask } from '../../../http/ask.js';
import { usePeople } from '../../../http/people.js';
import { apiKey, startService } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

/** It is too long to be indexed with its write. */
const long = `no one works on it ${'and it stays as it is, '.repeat(200)}`;

/** Writes that are answered when the memory is searchable. The same on every store. */
describe.each(stores)('Prefer: wait on %s', () => {
  const people = usePeople();
  const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const { origin } = new URL(people.service().app.server.listeningOrigin);
    const asked = await ask(origin, 'POST', path, {
      headers: { authorization: `Bearer ${apiKey}`, prefer: 'wait=10', ...headers },
      body: JSON.stringify(body),
    });
    return { ...asked, applied: asked.headers.get('preference-applied') };
  };

  // @covers WAIT-PREFER
  it('answers a write and an import when the memory is ready', async () => {
    const written = await send('/v1/memories', { content: 'an avocet that waits' });
    expect([written.status, written.json.stage, written.applied]).toEqual([202, 'done', 'wait=10']);
    const found = await people.service().call('POST', '/v1/memories/search', { query: 'avocet' });
    expect(found.json.data).toHaveLength(1);
    const imported = await send('/v1/ingest', { kind: 'text', content: 'a plover that waits' }, { prefer: 'wait=99' });
    expect([imported.status, imported.json.stage, imported.applied]).toEqual([202, 'done', 'wait=10']);
    const again = await send('/v1/memories', { content: 'an avocet that waits' });
    expect([again.status, again.json]).toEqual([200, { ...written.json, duplicate: true }]);
  });

  // @covers WAIT-PREFER
  it('does not wait without the preference, and gives a repeated request the stage of now', async () => {
    const key = { 'idempotency-key': 'waits' };
    const first = await send('/v1/memories', { content: 'a dunlin' }, { ...key, prefer: 'return=minimal' });
    expect([first.json.stage, first.applied]).toEqual(['queued', null]);
    const second = await send('/v1/memories', { content: 'a dunlin' }, key);
    expect([second.status, second.json]).toEqual([202, { ...first.json, stage: 'done' }]);
    const refused = await send('/v1/memories', { content: '' });
    expect([refused.status, refused.applied]).toEqual([400, null]);
    const none = await send('/v1/memories', { content: 'a knot' }, { prefer: 'wait=0' });
    expect([none.json.stage === 'done' || none.json.stage === 'queued', none.status]).toEqual([true, 202]);
  });

  // @covers SEARCH-OWN-WRITES
  it('makes a search find what its credential has just written', async () => {
    for (const bird of ['a ruff', 'a whimbrel', 'a godwit', 'a turnstone', 'a sanderling']) {
      const { json } = await people.service().call('POST', '/v1/memories', { content: `The warden counted ${bird}.` });
      const found = await people.service().call('POST', '/v1/memories/search', { query: bird, k: 1 });
      expect(found.json.data).toMatchObject([{ memory_id: json.memory_id }]);
    }
  });

  // @covers SEARCH-OWN-WRITES
  it('searches without the job where no process works on it', async () => {
    const idle = await startService({ ROLES: 'http' });
    await idle.call('POST', '/v1/memories', { content: long });
    for (const headers of [{ prefer: 'wait=0' }, {}, {}]) {
      const found = await idle.call('POST', '/v1/memories/search', { query: 'works' }, headers);
      expect([found.status, found.json.data]).toEqual([200, []]);
    }
    await idle.stop();
  });

  // @covers WAIT-PLACES
  it('sends the answer with the stage of now when the service stops', async () => {
    const idle = await startService({ ROLES: 'http' });
    const waits = ask(idle.app.server.listeningOrigin, 'POST', '/v1/memories', {
      headers: { authorization: `Bearer ${apiKey}`, prefer: 'wait=10' },
      body: JSON.stringify({ content: long }),
    });
    await new Promise((resolve) => setTimeout(resolve, 600));
    const from = performance.now();
    await idle.stop();
    expect((await waits).json.stage).toBe('queued');
    expect(performance.now() - from).toBeLessThan(8000);
  });
});
