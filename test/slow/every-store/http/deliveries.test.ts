import { describe, expect, it } from 'vitest';
import { retryPauses } from '../../../../src/domain/webhooks.js';
import { useHooks } from '../../../http/hooks.js';
import { code } from '../../../http/people.js';
import { quiet, status } from '../../../http/receiver.js';
import { stores } from '../../../support/stores.js';

const hour = 3_600_000;

/** The outcome of deliveries when receivers fail, and of those of things that are gone. The same on every store. */
describe.each(stores)('deliveries on %s', () => {
  const hooks = useHooks();
  const { by } = hooks;
  const at = (path: string) => hooks.receiver().received.filter((one) => one.path === path);
  let clock = 0;
  const advance = (ms: number) => {
    clock += ms;
    hooks.ahead(clock);
  };
  /** Answers with `code` on this path, and with 204 elsewhere. */
  const failOn = (path: string, code: number) =>
    hooks.receiver().answer((request, response) => status(request.url === path ? code : 204)(request, response));

  // @covers HOOK-RETRY HOOK-DEAD HOOK-REDELIVER
  it('tries again after the pauses that are promised, then gives up, and sends it again when asked', async () => {
    const agent = await hooks.agent();
    failOn('/down', 500);
    const { id } = await hooks.hook(agent, '/down', { source: 'down' });
    await hooks.write('no one is there', { source: 'down' });
    for (const [i, pause] of retryPauses.entries()) {
      const failed = await hooks.delivery(agent, id, ({ attempts }) => attempts === i + 1);
      expect(failed).toMatchObject({ state: 'pending', last_status_code: 500, last_error: 'it answered 500' });
      const left = Date.parse(failed.next_attempt_at) - Date.parse(failed.updated_at);
      expect(left).toBeGreaterThanOrEqual(pause);
      expect(left).toBeLessThanOrEqual(pause * 1.1 + 1);
      expect(await hooks.record(agent, id)).toMatchObject({ status: 'failing', last_status_code: 500 });
      advance(left);
    }
    const dead = await hooks.delivery(agent, id, ({ state }) => state === 'dead');
    expect(dead).toMatchObject({ attempts: 9, next_attempt_at: null });
    expect(at('/down')).toHaveLength(9);
    // Anyone who gets it twice can say: it is the same one, signed again.
    expect(new Set(at('/down').map((one) => one.headers['webhook-id'])).size).toBe(1);
    expect(new Set(at('/down').map((one) => one.body)).size).toBe(1);
    expect(new Set(at('/down').map((one) => one.headers['x-service-signature'])).size).toBe(9);
    advance(hour);
    await quiet();
    expect(at('/down')).toHaveLength(9);
    failOn('/down', 200);
    const path = `/v1/webhooks/${id}/deliveries/${dead.id}/redeliver`;
    const again = await by(agent, 'POST', path);
    expect([again.status, again.json.state, again.json.attempts]).toEqual([202, 'pending', 0]);
    const delivered = await hooks.delivery(agent, id, ({ state }) => state === 'delivered');
    expect(delivered).toMatchObject({ id: dead.id, attempts: 1, last_status_code: 200, last_error: null });
    expect(await hooks.record(agent, id)).toMatchObject({ status: 'active', last_status_code: 200 });
    // One that was delivered can be sent again too.
    expect((await by(agent, 'POST', path)).status).toBe(202);
    await hooks.receiver().until(11, '/down');
  });

  // @covers HOOK-DISABLED
  it('disables a webhook that has failed for three days when a delivery is given up, until one is taken', async () => {
    const agent = await hooks.agent();
    failOn('/gone', 410);
    const { id } = await hooks.hook(agent, '/gone', { source: 'gone' });
    await hooks.write('first', { source: 'gone' });
    const exhaust = async (from: number) => {
      for (let attempts = from; attempts <= 8; attempts += 1) {
        await hooks.delivery(agent, id, (one) => one.attempts >= attempts);
        advance(14 * hour);
      }
      return hooks.delivery(agent, id, (one) => one.state === 'dead');
    };
    await hooks.delivery(agent, id, (one) => one.attempts === 1);
    await hooks.write('second', { source: 'gone' });
    const { id: dead } = await exhaust(1);
    expect(await hooks.record(agent, id)).toMatchObject({ status: 'disabled' });
    const before = at('/gone').length;
    await hooks.write('third', { source: 'gone' });
    await hooks.service().settled();
    await quiet();
    expect(at('/gone')).toHaveLength(before);
    expect((await by(agent, 'GET', `/v1/webhooks/${id}/deliveries`)).json.data).toHaveLength(2);
    failOn('/gone', 202);
    await by(agent, 'POST', `/v1/webhooks/${id}/deliveries/${dead}/redeliver`);
    await hooks.delivery(agent, id, (one) => one.state === 'delivered');
    expect(await hooks.record(agent, id)).toMatchObject({ status: 'active' });
    const fourth = await hooks.write('fourth', { source: 'gone' });
    const sent = await hooks.receiver().until(before + 2, '/gone');
    expect(sent.at(-1)?.json.data.memory.id).toBe(fourth);
  });

  // @covers HOOK-NO-REDIRECT
  it('follows no redirect, and reads nothing of an answer but its status', async () => {
    const agent = await hooks.agent();
    const drip = { body: '', open: 0 };
    hooks.receiver().answer((request, response) => {
      if (request.url === '/moved') return void status(307, { location: '/elsewhere' })(request, response);
      if (request.url === '/huge') {
        response.writeHead(200, { 'content-length': String(2 ** 40) });
        response.on('close', () => (drip.open -= 1));
        drip.open += 1;
        const more = () => !response.destroyed && response.write(Buffer.alloc(65_536), () => setImmediate(more));
        return void more();
      }
      if (request.url === '/drip') {
        response.writeHead(200).write('.');
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(timer));
        return;
      }
      status(204)(request, response);
    });
    const ids = new Map<string, string>();
    for (const path of ['/moved', '/huge', '/drip']) {
      ids.set(path, (await hooks.hook(agent, path, { source: 'odd' })).id);
    }
    await hooks.write('for odd ones', { source: 'odd' });
    const moved = await hooks.delivery(agent, ids.get('/moved') ?? '', (one) => one.attempts === 1);
    expect(moved).toMatchObject({ state: 'pending', last_status_code: 307 });
    for (const path of ['/huge', '/drip']) {
      const taken = await hooks.delivery(agent, ids.get(path) ?? '', (one) => one.attempts === 1);
      expect(taken).toMatchObject({ state: 'delivered', last_status_code: 200 });
    }
    await quiet(300);
    expect(drip.open).toBe(0);
    expect(at('/elsewhere')).toEqual([]);
  });

  // @covers HOOK-TIMEOUT
  it('allows a receiver that never answers to hold up no one, and gives up on it after ten seconds', async () => {
    const [slow, quick] = [await hooks.agent(), await hooks.agent()];
    hooks.receiver().answer((request, response) => {
      if (request.url !== '/slow') status(204)(request, response);
    });
    const { id } = await hooks.hook(slow, '/slow', { source: 'both' });
    await hooks.hook(quick, '/quick', { source: 'both' });
    const from = Date.now();
    for (let i = 0; i < 20; i += 1) await hooks.write(`to both ${i}`, { source: 'both' });
    await hooks.receiver().until(20, '/quick');
    expect(Date.now() - from).toBeLessThan(9500);
    // Four at a time is all that it gets.
    expect(at('/slow').length).toBeLessThanOrEqual(4);
    await hooks.receiver().until(5, '/slow');
    expect(Date.now() - from).toBeGreaterThan(9000);
    const owner = await by(slow, 'GET', `/v1/webhooks/${id}/deliveries?limit=100`);
    const failed = owner.json.data.filter((one: { attempts: number }) => one.attempts > 0);
    expect(failed[0]).toMatchObject({ last_status_code: null, last_error: 'it did not answer within 10 seconds' });
    await by(slow, 'DELETE', `/v1/webhooks/${id}`);
  });

  // @covers HOOK-DELETED-MEMORY ERR-delivery_not_found
  it('says nothing of a memory that was deleted before it was notified of', async () => {
    const agent = await hooks.agent();
    failOn('/late', 503);
    const { id } = await hooks.hook(agent, '/late', { source: 'late' });
    const memoryId = await hooks.write('a secret to be forgotten', { source: 'late' });
    await hooks.delivery(agent, id, (one) => one.attempts === 1);
    failOn('/late', 200);
    expect((await hooks.as('owner').call('DELETE', `/v1/memories/${memoryId}`)).status).toBe(200);
    advance(6000);
    await quiet();
    expect(at('/late')).toHaveLength(1);
    expect((await by(agent, 'GET', `/v1/webhooks/${id}/deliveries`)).json.data).toEqual([]);
    expect(code(await by(agent, 'POST', `/v1/webhooks/${id}/deliveries/${id}/redeliver`))).toEqual([
      404,
      'delivery_not_found',
    ]);
  });

  it('says nothing of a memory that was moved out of the sight of the webhook', async () => {
    const agent = await hooks.agent();
    const mine = await hooks.namespaceNamed('shore');
    const key = { authorization: `Bearer ${(await hooks.newKey({ namespace_ids: [mine] })).key}` };
    failOn('/moved-away', 503);
    const { id } = await hooks.hook(agent, '/moved-away', { source: 'moving' }, key);
    await hooks.write('on the move', { source: 'moving', namespace: mine });
    await hooks.receiver().until(1, '/moved-away');
    failOn('/moved-away', 200);
    const moved = await hooks.as('owner').call('DELETE', `/v1/namespaces/${mine}?move_to=default`);
    expect(moved.json.moved).toBe(1);
    advance(6000);
    await quiet();
    expect(at('/moved-away')).toHaveLength(1);
    expect((await by(agent, 'GET', `/v1/webhooks/${id}/deliveries`)).json.data).toEqual([]);
  });

  it('drops what is still to be sent when a webhook is deleted', async () => {
    const agent = await hooks.agent();
    failOn('/ended', 500);
    const { id } = await hooks.hook(agent, '/ended', { source: 'ended' });
    await hooks.write('too late', { source: 'ended' });
    await hooks.delivery(agent, id, (one) => one.attempts === 1);
    await by(agent, 'DELETE', `/v1/webhooks/${id}`);
    advance(6000);
    await quiet();
    expect(at('/ended')).toHaveLength(1);
    const rows = await hooks
      .service()
      .app.database.read((tx) =>
        tx.query(
          'select 1 from deliveries where webhook_id = $1 union all select 1 from webhook_health where webhook_id = $1',
          [id],
        ),
      );
    expect(rows).toEqual([]);
    expect(code(await by(agent, 'GET', `/v1/webhooks/${id}/deliveries`))).toEqual([404, 'webhook_not_found']);
  });

  it('lists deliveries by state and page by page', async () => {
    const agent = await hooks.agent();
    failOn('/listed', 500);
    const { id } = await hooks.hook(agent, '/listed', { source: 'listed' });
    for (let i = 0; i < 5; i += 1) await hooks.write(`listed ${i}`, { source: 'listed' });
    await hooks.receiver().until(5, '/listed');
    const path = `/v1/webhooks/${id}/deliveries`;
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await by(agent, 'GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...json.data.map((one: { id: string }) => one.id));
      cursor = json.next_cursor;
    }
    expect(seen).toHaveLength(5);
    expect(seen).toEqual([...seen].sort().reverse());
    expect((await by(agent, 'GET', `${path}?state=delivered`)).json.data).toEqual([]);
    expect((await by(agent, 'GET', `${path}?state=pending`)).json.data).toHaveLength(5);
    expect(code(await by(agent, 'GET', `${path}?state=lost`))).toEqual([400, 'invalid_request']);
    expect(code(await by(agent, 'GET', `${path}?cursor=x`))).toEqual([400, 'invalid_cursor']);
    const other = await hooks.agent();
    expect(code(await by(other, 'GET', path))).toEqual([404, 'webhook_not_found']);
    expect(code(await by(other, 'POST', `${path}/${seen[0]}/redeliver`))).toEqual([404, 'webhook_not_found']);
  });
});
