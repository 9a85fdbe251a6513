import { describe, expect, it } from 'vitest';
import { withBroken } from '../../../http/broken.js';
import { code, usePeople } from '../../../http/people.js';
import { eagerWorld } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

/** The answers when a part of the service is off or broken. The same on every store. */
describe.each(stores)('a service that is switched off on %s', () => {
  const people = usePeople({ MEMORY_API: 'off' });

  // @covers ERR-not_found
  it('has no memory API, and manages people and keys still', async () => {
    const calls = [
      ['GET', '/v1/memories'],
      ['POST', '/v1/memories'],
      ['POST', '/v1/memories/search'],
      ['GET', '/v1/namespaces'],
      ['GET', '/v1/receipts'],
    ] as const;
    for (const [method, path] of calls) {
      expect(code(await people.service().call(method, path))).toEqual([404, 'not_found']);
      expect(code(await people.as('owner').call(method, path))).toEqual([404, 'not_found']);
    }
    expect((await people.as('owner').call('GET', '/v1/members')).status).toBe(200);
    expect((await people.as('owner').call('GET', '/v1/keys')).status).toBe(200);
    expect(code(await people.service().call('GET', '/v1/nothing'))).toEqual([404, 'route_not_found']);
  });
});

describe.each(stores)('parts that fail on %s', () => {
  const people = usePeople({}, eagerWorld);
  const broken = (table: string, work: () => Promise<void>) => withBroken(people.service().app.database, table, work);

  // @covers ERR-feature_not_enabled
  it('gives a workspace no memory API when it is not on for it', async () => {
    const { workspaceId } = people.first();
    const other = await people.admin().workspace();
    await people.admin().provision(other.workspaceId, 'free', false);
    expect(code(await people.withKey(other.key, 'GET', '/v1/memories'))).toEqual([404, 'feature_not_enabled']);
    expect(code(await people.withKey(other.key, 'POST', '/v1/memories', {}))).toEqual([404, 'feature_not_enabled']);
    expect((await people.service().call('GET', '/v1/memories')).status).toBe(200);
    await people.admin().provision(workspaceId, 'free', false);
    expect(code(await people.as('owner').call('GET', '/v1/memories'))).toEqual([404, 'feature_not_enabled']);
    expect((await people.as('owner').call('GET', '/v1/workspace')).json.plan).toBe('free');
    await people.admin().provision(workspaceId, 'enterprise');
    expect((await people.as('owner').call('GET', '/v1/memories')).status).toBe(200);
  });

  // @covers SEARCH-NO-RECEIPT ERR-receipt_unavailable ERR-approval_unavailable ERR-recall_receipt_unavailable
  it('refuses what it cannot record', async () => {
    await broken('entries', async () => {
      const write = await people.service().call('POST', '/v1/memories', { content: 'never written' });
      expect(code(write)).toEqual([503, 'receipt_unavailable']);
      const search = await people.service().call('POST', '/v1/memories/search', { query: 'never' });
      expect(code(search)).toEqual([503, 'recall_receipt_unavailable']);
      const ids = ['018f0000-0000-7000-8000-00000000abcd'];
      const bulk = await people.service().call('POST', '/v1/memories/bulk-delete', { ids });
      expect(code(bulk)).toEqual([503, 'approval_unavailable']);
      const rules = { pause_all: true, sensitive: 'redact' };
      expect(code(await people.as('owner').call('PUT', '/v1/rules', rules))).toEqual([503, 'receipt_unavailable']);
    });
    expect((await people.service().call('POST', '/v1/memories', { content: 'never written' })).status).toBe(202);
  });

  it('says when a write that must be approved could not be filed', async () => {
    const rules = {
      pause_all: false,
      sensitive: 'redact',
      ask_owner: [{ source: 'asked' }, { source: 'import:text' }],
    };
    await people.as('owner').call('PUT', '/v1/rules', rules);
    const asked = { content: 'to be asked for', source: 'asked' };
    await broken('approvals', async () => {
      const held = await people.as('owner').call('POST', '/v1/memories', asked);
      expect([...code(held), held.headers.get('retry-after')]).toEqual([503, 'approval_unavailable', '1']);
      const imported = await people.as('owner').call('POST', '/v1/ingest', { kind: 'text', content: 'asked for too' });
      expect(code(imported)).toEqual([503, 'approval_unavailable']);
      expect((await people.service().call('POST', '/v1/memories', { content: 'not asked for' })).status).toBe(202);
    });
    const unheard = { kind: 'text', content: 'asked for too', approval_id: 'apr_of_unknown' };
    expect(code(await people.as('owner').call('POST', '/v1/ingest', unheard))).toEqual([403, 'approval_invalid']);
    expect((await people.service().call('GET', '/v1/approvals')).json.data).toEqual([]);
    expect(code(await people.service().call('POST', '/v1/memories', asked))).toEqual([409, 'approval_required']);
  });
});
