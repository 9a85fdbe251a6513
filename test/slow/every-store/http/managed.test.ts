import { describe, expect, it } from 'vitest';
import { signingKey } from '../../../../projections/account/queries.js';
import { lexicalEmbedder } from '../../../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../../src/maintenance/rebuildable.js';
import { code, owner, usePeople } from '../../../http/people.js';
import { signedIn } from '../../../http/person.js';
import { startService } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

/** Everything that people manage: namespaces, keys, and what these are bound to. The same on every store. */
describe.each(stores)('namespaces and keys on %s', () => {
  const people = usePeople();

  // @covers NS-CREATE NS-NAME-TRIM NS-NAME-LIMIT NS-NAME-UNIQUE NS-RENAME NS-LIST-ORDER NS-LIST-SESSION
  // @covers ERR-invalid_name ERR-namespace_name_conflict
  it('makes, renames and shows namespaces', async () => {
    const made = await people.as('owner').call('POST', '/v1/namespaces', { name: '  letters \u{1f4ee} ' });
    expect(made.json).toMatchObject({ name: 'letters \u{1f4ee}', is_default: false });
    expect(made.status).toBe(201);
    const { id } = made.json;
    expect((await people.as('reader').call('GET', `/v1/namespaces/${id}`)).json).toEqual(made.json);
    const renamed = await people.as('admin').call('PATCH', `/v1/namespaces/${id.toUpperCase()}`, { name: 'post' });
    expect(renamed.json).toMatchObject({ id, name: 'post', created_at: made.json.created_at });
    expect(code(await people.as('owner').call('PATCH', `/v1/namespaces/${id}`, { name: 'post' }))).toEqual([200, null]);
    expect(code(await people.as('owner').call('POST', '/v1/namespaces', { name: 'post' }))).toEqual([
      409,
      'namespace_name_conflict',
    ]);
    const conflict = await people.as('owner').call('PATCH', `/v1/namespaces/${id}`, { name: 'default' });
    expect(code(conflict)).toEqual([409, 'namespace_name_conflict']);
    for (const name of ['', '   ', 'x'.repeat(65), 'a\u0007b', 'a\u0000b', '\ud800', 7, null, undefined]) {
      expect(code(await people.as('owner').call('POST', '/v1/namespaces', { name }))).toEqual([400, 'invalid_name']);
    }
    expect(code(await people.as('owner').call('POST', '/v1/namespaces', { name: '\u{1f4ee}'.repeat(64) }))).toEqual([
      201,
      null,
    ]);
    expect(code(await people.service().call('GET', `/v1/namespaces/${id}`))).toEqual([403, 'namespace_out_of_scope']);
    expect(code(await people.service().call('GET', '/v1/namespaces/post'))).toEqual([404, 'namespace_not_found']);
    const listed = (await people.as('reader').call('GET', '/v1/namespaces')).json.data.map(
      ({ name }: { name: string }) => name,
    );
    expect(listed).toContain('post');
    expect(listed).toEqual([...listed].sort());
  });

  // @covers NS-DELETE-MOVE NS-DELETE-ANSWER NS-DELETE-COUNT NS-DELETE-QUERY NS-DELETE-DEFAULT NS-DELETED
  it('compares names without the kind of white space, wherever a name stands', async () => {
    const owner = people.as('owner');
    const id = await people.namespaceNamed('quay crew');
    const conflict = await owner.call('POST', '/v1/namespaces', { name: 'quay\u00a0crew' });
    expect(code(conflict)).toEqual([409, 'namespace_name_conflict']);
    const content = 'The crew of the quay.';
    const added = await owner.call('POST', '/v1/memories', { content, namespace: 'quay\u2003crew' });
    expect((await owner.call('GET', `/v1/memories/${added.json.memory_id}`)).json.namespace_id).toBe(id);
    const again = await owner.call('POST', '/v1/memories', { content, namespace: 'quay\u202fcrew' });
    expect(again.json).toMatchObject({ memory_id: added.json.memory_id, duplicate: true });
    const { key_id } = await people.newKey({ namespace_ids: ['quay\u00a0crew'] });
    expect((await owner.call('GET', `/v1/keys/${key_id}/namespaces`)).json.data).toMatchObject([
      { id, name: 'quay crew' },
    ]);
    const from = await people.namespaceNamed('quay night');
    await owner.call('POST', '/v1/memories', { content: 'The night of the quay.', namespace: from });
    const moved = await owner.call('DELETE', `/v1/namespaces/${from}`, { move_to: 'quay\u3000crew' });
    expect(moved.json).toMatchObject({ moved_to: id, moved: 1 });
  });

  // @covers ERR-invalid_move_to ERR-namespace_deleted ERR-cannot_delete_default_namespace ERR-namespace_not_empty
  it('deletes a namespace once its memories are elsewhere, and these are found there', async () => {
    const [from, to] = [await people.namespaceNamed('from'), await people.namespaceNamed('to')];
    const person = people.as('owner');
    const add = async (content: string, namespace: string) =>
      (await person.call('POST', '/v1/memories', { content, namespace })).json.memory_id as string;
    const ids = [await add('the marmot sleeps', from), await add('the same in both', from)];
    await add('the same in both', to);
    await people.settled();
    // Some are not ready yet when they are moved.
    const late = await Promise.all(Array.from({ length: 20 }, (_, i) => add(`a late marmot ${i}`, 'from')));
    const path = `/v1/namespaces/${from}`;
    const full = await person.call('DELETE', path);
    expect([code(full), full.json.error.details]).toEqual([[409, 'namespace_not_empty'], { memory_count: 22 }]);
    expect(code(await person.call('DELETE', `${path}?move_to=${from}`))).toEqual([400, 'invalid_move_to']);
    expect(code(await person.call('DELETE', `${path}?move_to=to`, { move_to: 'default' }))).toEqual([
      400,
      'invalid_move_to',
    ]);
    expect(code(await person.call('DELETE', path, { move_to: 7 }))).toEqual([400, 'invalid_move_to']);
    expect(code(await person.call('DELETE', path, { move_to: 'nowhere' }))).toEqual([404, 'namespace_not_found']);
    const gone = await person.call('DELETE', path, { move_to: 'to' });
    expect(gone.json).toEqual({ id: from, deleted: true, moved_to: to, moved: 22 });
    for (const id of [...ids, ...late]) {
      expect((await person.call('GET', `/v1/memories/${id}`)).json.namespace_id).toBe(to);
    }
    await people.settled();
    const found = await person.call('POST', '/v1/memories/search', { query: 'marmot', namespace_ids: [to], k: 50 });
    expect(found.json.data.map((hit: { memory_id: string }) => hit.memory_id).sort()).toEqual([ids[0], ...late].sort());
    const { receipt_id } = (await person.call('GET', `/v1/memories/${ids[0]}`)).json;
    expect((await person.call('GET', `/v1/receipts/${receipt_id}`)).json.body.namespace_id).toBe(from);
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
      expect(code(await person.call(method, path, body))).toEqual([404, 'namespace_deleted']);
    }
    const { key_id: key } = await people.newKey();
    for (const [method, at, body] of [
      ['POST', '/v1/memories', { content: 'x', namespace: from }],
      ['POST', '/v1/ingest', { kind: 'text', content: 'x', namespace: from }],
      ['POST', '/v1/keys', { name: 'x', namespace_ids: [from] }],
      ['PUT', `/v1/keys/${key}/namespaces`, { namespace_ids: [from] }],
      ['PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [{ namespace_id: from }] }],
    ] as const) {
      expect([at, ...code(await person.call(method, at, body))]).toEqual([at, 404, 'namespace_deleted']);
    }
    expect(code(await person.call('POST', '/v1/memories', { content: 'x', namespace: 'from' }))).toEqual([
      404,
      'namespace_not_found',
    ]);
    expect(await people.namespaceNamed('from')).not.toBe(from);
    const byDefault = await person.call('DELETE', `/v1/namespaces/${people.first().namespaceId}?move_to=to`);
    expect(code(byDefault)).toEqual([409, 'cannot_delete_default_namespace']);
  });

  // @covers BIND-GET BIND-PUT BIND-EMPTY AUTH-KEY-FORM AUTH-KEY-ONCE AUTH-KEY-DEFAULT AUTH-KEY-REVOKED
  // @covers ERR-key_has_no_namespaces ERR-key_not_found
  it('shows a key once, binds it, and ends it', async () => {
    const made = await people.as('owner').call('POST', '/v1/keys', {
      name: ' ingest ',
      scopes: ['memory.write'],
      agent_id: 'ada',
    });
    expect(made.json).toMatchObject({ name: 'ingest', scopes: ['memory.write'], agent_id: 'ada', app_id: null });
    expect(made.json).toMatchObject({
      namespace_ids: [people.first().namespaceId],
      key: expect.stringMatching(/^ak_[0-9A-Za-z]{43}$/),
    });
    const { key, key_id } = made.json;
    expect((await people.withKey(key, 'POST', '/v1/memories', { content: 'by a new key' })).status).toBe(202);
    const listed = await people.as('admin').call('GET', '/v1/keys?limit=1');
    expect(listed.json.data).toMatchObject([{ key_id, name: 'ingest' }]);
    expect(listed.text).not.toContain(key.slice(3));
    expect(
      (await people.as('admin').call('GET', `/v1/keys?cursor=${listed.json.next_cursor}`)).json.data.length,
    ).toBeGreaterThan(0);

    const other = await people.namespaceNamed('bound');
    const bound = await people
      .as('owner')
      .call('PUT', `/v1/keys/${key_id}/namespaces`, { namespace_ids: ['bound', other] });
    expect(bound.json).toMatchObject({ key_id, data: [{ id: other, name: 'bound' }] });
    expect((await people.as('reader').call('GET', `/v1/keys/${key_id}/namespaces`)).json).toEqual(bound.json);
    await people.as('owner').call('PUT', `/v1/keys/${key_id}/namespaces`, { namespace_ids: [] });
    expect(code(await people.withKey(key, 'GET', '/v1/memories'))).toEqual([403, 'key_has_no_namespaces']);

    const revoked = await people.as('admin').call('DELETE', `/v1/keys/${key_id}`);
    expect(revoked.json).toEqual({ key_id, revoked: true, receipt_id: expect.stringMatching(/^rcp_/) });
    expect(code(await people.withKey(key, 'GET', '/v1/memories'))).toEqual([401, 'unauthorized']);
    expect(code(await people.as('admin').call('DELETE', `/v1/keys/${key_id}`))).toEqual([404, 'key_not_found']);
    // What was kept of the secret is gone, and what the creation committed to stays.
    const kept = await people
      .service()
      .app.database.read((tx) => tx.query('select 1 from vault where receipt_id = $1', [made.json.receipt_id]));
    expect(kept).toEqual([]);
  });

  // @covers KREC-SECRET KREC-SECRET-ONCE KREC-SECRET-NEWEST
  it('shows a secret for records of Kafka once, and a new one replaces it', async () => {
    const { key_id } = await people.newKey();
    const path = `/v1/keys/${key_id}/kafka-secret`;
    const once = { 'idempotency-key': 'kafka-secret-1' };
    const made = await people.as('owner').call('POST', path, undefined, once);
    const { secret, ...rest } = made.json;
    expect([made.status, secret]).toEqual([201, expect.stringMatching(/^kfs_[\w-]{43}$/)]);
    expect((await people.as('owner').call('POST', path, undefined, once)).json).toEqual({ ...rest, secret: null });
    const second = (await people.as('admin').call('POST', path)).json;
    expect(second.secret).not.toBe(secret);
    expect(code(await people.as('admin').call('POST', path, { name: 'x' }))).toEqual([400, 'invalid_request']);
    const receipt = (await people.as('owner').call('GET', `/v1/receipts/${second.receipt_id}`)).json;
    expect(receipt).toMatchObject({ kind: 'key.kafka_secret_made', body: { key_id, secret_id: second.secret_id } });
    const { database } = people.service().app;
    const known = await database.read((tx) => signingKey(tx, key_id));
    expect(known?.kafka_secret_id).toBe(second.secret_id);
    const stored = await database.read((tx) =>
      tx.query("select v::text r from vault v union all select convert_from(bytes, 'UTF8') from entries"),
    );
    expect(JSON.stringify(stored)).not.toContain(second.secret);
    await people.as('owner').call('DELETE', `/v1/keys/${key_id}`);
    expect(await database.read((tx) => signingKey(tx, key_id))).toBeUndefined();
    expect(code(await people.as('owner').call('POST', path))).toEqual([404, 'key_not_found']);
  });

  // @covers BIND-DELETED
  it('takes a deleted namespace from the keys that were bound to it', async () => {
    const namespace = await people.namespaceNamed('short-lived');
    const { key, key_id } = await people.newKey({ namespace_ids: ['short-lived'] });
    expect(code(await people.withKey(key, 'GET', '/v1/memories'))).toEqual([200, null]);
    await people.as('owner').call('DELETE', `/v1/namespaces/${namespace}`);
    expect(code(await people.withKey(key, 'GET', '/v1/memories'))).toEqual([403, 'key_has_no_namespaces']);
    expect((await people.as('owner').call('GET', `/v1/keys/${key_id}/namespaces`)).json.data).toEqual([]);
  });

  // @covers BIND-LIMIT ERR-too_many_namespaces ERR-key_out_of_scope
  it('refuses keys that are wrong, and those of others', async () => {
    const wrong: [object, unknown[]][] = [
      [{ name: '' }, [400, 'invalid_name']],
      [{ scopes: ['memory.delete'] }, [400, 'invalid_request']],
      [{ agent_id: 7 }, [400, 'invalid_request']],
      [{ namespace_ids: 'default' }, [400, 'invalid_namespace_ids']],
      [{ namespace_ids: [7] }, [400, 'invalid_namespace_ids']],
      [{ namespace_ids: Array(1001).fill('default') }, [400, 'too_many_namespaces']],
      [{ namespace_ids: ['nowhere'] }, [404, 'namespace_not_found']],
    ];
    for (const [body, answer] of wrong) {
      expect(code(await people.as('owner').call('POST', '/v1/keys', { name: 'k', ...body }))).toEqual(answer);
    }
    const { key_id } = await people.newKey();
    const bind = async (namespace_ids: unknown) =>
      code(await people.as('owner').call('PUT', `/v1/keys/${key_id}/namespaces`, { namespace_ids }));
    expect(await bind(undefined)).toEqual([400, 'invalid_namespace_ids']);
    expect(await bind(Array(1001).fill('default'))).toEqual([400, 'too_many_namespaces']);
    expect(await bind(['nowhere'])).toEqual([404, 'namespace_not_found']);
    expect(await bind(['default'])).toEqual([200, null]);
    const { workspaceId } = await people.admin().workspace();
    const outsider = await signedIn(people.service(), await people.admin().member(workspaceId, 'owner'));
    for (const [method, path] of [
      ['DELETE', ''],
      ['GET', '/namespaces'],
      ['PUT', '/namespaces'],
    ] as const) {
      const reply = await outsider.call(
        method,
        `/v1/keys/${key_id}${path}`,
        method === 'PUT' ? { namespace_ids: [] } : undefined,
      );
      expect(code(reply)).toEqual([403, 'key_out_of_scope']);
    }
    expect(code(await outsider.call('GET', `/v1/namespaces/${people.first().namespaceId}`))).toEqual([
      404,
      'namespace_not_found',
    ]);
  });

  // @covers IDEM-SECRETS
  it('makes a key once under an Idempotency-Key, and does not keep its secret', async () => {
    const ask = () => people.as('owner').call('POST', '/v1/keys', { name: 'once' }, { 'idempotency-key': 'key-1' });
    const [made, again] = [await ask(), await ask()];
    expect(made.json.key).toMatch(/^ak_/);
    expect(again.json).toEqual({ ...made.json, key: null });
  });

  it('leaves a store without fault', async () => {
    await people.settled();
    const checked = await fsck(people.service().app.database, rebuildables(lexicalEmbedder()), {
      onProgress: () => undefined,
    });
    expect(checked.faults).toBeNull();
  });
});

// @covers AUTH-KEY-RATE AGK-RATE LIMIT-RETRY-AFTER ERR-rate_limited
it.each(stores)('makes 20 keys an hour for a workspace on %s, those of agents included', async () => {
  const given = { OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password, RATE_LIMITS: 'on' };
  const service = await startService(given);
  const person = await signedIn(service, owner);
  const { id } = (await person.call('POST', '/v1/agents', { agent_id: `agn_${'a'.repeat(32)}` })).json;
  const ofAgent = `/v1/agents/${id}/keys`;
  for (let i = 0; i < 20; i += 1)
    expect((await person.call('POST', i % 2 ? ofAgent : '/v1/keys', { name: `key ${i}` })).status).toBe(201);
  for (const path of ['/v1/keys', ofAgent]) {
    const refused = await person.call('POST', path, { name: 'one more' });
    expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
  }
  await service.stop();
});
