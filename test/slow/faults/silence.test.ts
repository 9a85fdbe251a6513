import { afterEach, describe, expect, it } from 'vitest';
import { faultsAfter, linkedAgent, owner, startLoad, until } from '../../faults/outage.js';
import { type SilentProxy, silentProxy } from '../../faults/silent-proxy.js';
import { ask } from '../../http/ask.js';
import { type Service, startService } from '../../http/service.js';
import { dropDatabase } from '../../support/fresh-database.js';
import { preparedDatabase } from '../../support/prepared-store.js';

const silentMs = 20_000;

describe('a PostgreSQL server whose connections go silent', () => {
  let direct: string;
  let proxy: SilentProxy;
  let service: Service;
  afterEach(async () => {
    await service.stop();
    await proxy.close();
    await dropDatabase(direct);
  });

  it.each([
    'forgotten',
    'late',
  ] as const)('refuses with codes, says that it is not ready, and continues: %s', async (how) => {
    direct = await preparedDatabase();
    proxy = await silentProxy(direct);
    service = await startService({ DATABASE_URL: proxy.url, LOG_LEVEL: 'silent', ...owner });
    const origin = service.app.server.listeningOrigin;
    const agent = await linkedAgent(origin);
    const ready = async () => (await ask(origin, 'GET', '/readyz')).status;

    const load = startLoad(origin, 8, agent);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    proxy.silence();
    await until(5000, async () => (await ready()) === 503);
    await new Promise((resolve) => setTimeout(resolve, silentMs));
    expect(await ready()).toBe(503);
    // The clients of the load may all be waiting for something else, so this write is the test's own.
    const refused = await service.call('POST', '/v1/memories', { content: 'it is silent' });
    expect([refused.status, refused.json.error?.code]).toEqual([503, 'receipt_unavailable']);
    proxy.recover(how);
    await until(40_000, async () => (await ready()) === 200);
    await until(
      40_000,
      async () => (await service.call('POST', '/v1/memories', { content: 'it is back' })).status < 300,
    );
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const reported = await load.stop();
    expect(reported.wrong).toEqual([]);
    await service.settled();
    expect(await faultsAfter(direct, reported)).toEqual([]);
  });
});
