import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openVerifying, type Verifying } from '../../../src/adapters/threads/verifying.js';
import { checkBundle } from '../../../src/verifier/verify.js';
import { type Service, startService } from '../../http/service.js';
import { createLog, encode } from '../../verifier/bundles.js';
import { firstKey, handMade } from '../../verifier/hand-made.js';

/** Bundles that were made by hand to take long, and what they do to everybody else. */
describe('checking bundles', () => {
  let service: Service;
  let worst: Buffer;
  beforeAll(async () => {
    service = await startService({ TRUST_PROXY: '1' });
    worst = Buffer.from(await handMade({ entryText: 500_000, contentBytes: 1_048_576 }));
  });
  afterAll(() => service.stop());

  const verify = (address: string, body: Buffer | string = worst) =>
    fetch(`${service.app.server.listeningOrigin}/v1/receipts/verify`, {
      method: 'POST',
      body,
      headers: { 'x-forwarded-for': address },
    });

  it('keeps no one else waiting', async () => {
    const many = Array.from({ length: 10 }, (_, at) => `192.0.2.${at}`);
    let checked = 0;
    const verified = Promise.all(
      many.map(async (address) => {
        const answer = await verify(address);
        checked += 1;
        return answer;
      }),
    );
    const others = await Promise.all(Array.from({ length: 20 }, () => service.call('GET', '/v1/receipts')));
    // Behind bundles that are checked on the main thread they would wait for all of these.
    expect(checked).toBeLessThan(many.length);
    expect(others.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const answers = await verified;
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    for (const text of texts) expect(text).toContain('"name":"entry","state":"verified"');
  });

  it('leaves room for others, however many bundles one address sends', async () => {
    const flood = Array.from({ length: 12 }, () => verify('198.51.100.1'));
    // One of the flood is refused only when as many of it are held as may be.
    const refused = await Promise.race(
      flood.map(async (one) => ((await one).status === 429 ? one : new Promise<never>(() => {}))),
    );
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await verify('203.0.113.7', '{"format":"counterfoil-proof/2"}')).status).toBe(400);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
    expect(statuses.filter((status) => status === 429).length).toBe(12 - statuses.filter((one) => one === 200).length);
  });
});

describe('the thread that checks bundles', () => {
  let verifying: Verifying;
  beforeAll(() => {
    verifying = openVerifying();
  });
  afterAll(() => verifying.close());

  it('says of every bundle what the verifier says', async () => {
    const log = await createLog('log.example/1', 'thread');
    const bundle = await log.bundle();
    const bytes = [
      encode(bundle),
      encode({ ...bundle, disclosed: { ...bundle.disclosed, content: 'something else' } }),
      encode({ ...bundle, checkpoint: bundle.checkpoint?.replace('\n6\n', '\n7\n') }),
      encode({ ...bundle, format: 'counterfoil-proof/2' }),
      encode(bundle).subarray(0, 100),
      new Uint8Array(),
      await handMade({ members: 1000 }),
    ];
    for (const one of bytes) {
      for (const keys of [[], [log.keys[0], log.witness], [{ ...log.keys[0], retiredAfter: 2 }], [firstKey.key]]) {
        const checking = { bytes: one, keys };
        expect(await verifying.check('someone', checking)).toEqual(checkBundle(checking));
      }
    }
    expect(await verifying.check('someone', { bytes: encode({}), keys: [] })).toHaveProperty('unreadable');
  });

  it('refuses more than a few of one client, and more than some in all', async () => {
    const bytes = encode({});
    const ask = (client: string) =>
      verifying.check(client, { bytes, keys: [] }).then(
        () => 'checked',
        ({ code }) => code,
      );
    const clients = ['a', 'a', 'a', 'a', 'a', ...'bbbbccccddddee'];
    const said = await Promise.all(clients.map(ask));
    expect(said).toEqual([
      ...Array(4).fill('checked'),
      'rate_limited',
      ...Array(12).fill('checked'),
      ...Array(2).fill('rate_limited'),
    ]);
    expect(await ask('a')).toBe('checked');
  });
});
