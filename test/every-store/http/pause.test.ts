import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../src/maintenance/rebuildable.js';
import { code, usePeople } from '../../http/people.js';
import { signedIn } from '../../http/person.js';
import { stores } from '../../support/stores.js';

/** Everyone sees since when and by whom all agents are paused. The same on every store. */
describe.each(stores)('a pause on %s', () => {
  const people = usePeople();
  const rules = { pause_all: false, sensitive: 'redact', ask_owner: [] };
  const pause = (change: object) => people.as('owner').call('PUT', '/v1/rules', { ...rules, ...change });
  const inSession = async (role: string) => (await people.as(role).call('GET', '/v1/session')).json.paused;
  const inUsage = async (role: string) => (await people.as(role).call('GET', '/v1/usage')).json.paused;

  it('is null until an owner pauses, and again after the end', async () => {
    for (const role of ['owner', 'admin', 'member', 'reader']) {
      expect([await inSession(role), await inUsage(role)]).toEqual([null, null]);
    }
    expect(code(await people.as('admin').call('PUT', '/v1/rules', { ...rules, pause_all: true }))).toEqual([
      403,
      'admin_required',
    ]);
    expect(await inSession('reader')).toBeNull();
    await pause({ pause_all: true });
    expect(await inSession('reader')).not.toBeNull();
    await pause({});
    expect([await inSession('reader'), await inUsage('reader')]).toEqual([null, null]);
  });

  it('says to every role, and to keys, who has paused, when and with which receipt', async () => {
    const { receipt_id } = (await pause({ pause_all: true })).json;
    const { user } = (await people.as('owner').call('GET', '/v1/session')).json;
    const { recorded_at: since } = (await people.as('owner').call('GET', `/v1/receipts/${receipt_id}`)).json;
    const expected = { since, by: user.id, receipt_id };
    for (const role of ['owner', 'admin', 'member', 'reader']) {
      expect([role, await inSession(role), await inUsage(role)]).toEqual([role, expected, expected]);
    }
    expect(await inSession('none')).toEqual(expected);
    expect(code(await people.as('none').call('GET', '/v1/usage'))).toEqual([403, 'workspace_role_required']);
    expect((await people.service().call('GET', '/v1/usage')).json.paused).toEqual(expected);
    const members = (await people.as('owner').call('GET', '/v1/members')).json.data;
    expect(members.map(({ id }: { id: string }) => id)).toContain(expected.by);
    // Another change of the rules is not another pause.
    const changed = await pause({ pause_all: true, sensitive: 'reject' });
    expect(changed.json.receipt_id).not.toBe(receipt_id);
    expect(await inUsage('member')).toEqual(expected);
    const again = await pause({ pause_all: false });
    const second = await pause({ pause_all: true });
    expect(again.json.receipt_id).not.toBe(second.json.receipt_id);
    expect((await inUsage('member')).receipt_id).toBe(second.json.receipt_id);
  });

  it('is of one workspace alone', async () => {
    await pause({ pause_all: true });
    const other = await people.admin().workspace();
    expect((await people.withKey(other.key, 'GET', '/v1/usage')).json.paused).toBeNull();
    const outsider = await signedIn(people.service(), await people.admin().member(other.workspaceId, 'owner'));
    expect((await outsider.call('GET', '/v1/session')).json.paused).toBeNull();
    await pause({});
  });

  it('is computed again from the ledger as it was', async () => {
    await pause({ pause_all: true });
    const { database } = people.service().app;
    const checked = await fsck(database, rebuildables(lexicalEmbedder()), { onProgress: () => undefined });
    expect(checked.faults).toBeNull();
    await pause({});
  });
});
