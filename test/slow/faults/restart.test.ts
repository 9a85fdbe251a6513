import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultsAfter, linkedAgent, owner, startLoad, until } from '../../faults/outage.js';
import { type OwnPostgres, ownPostgres } from '../../faults/postgres.js';
import { ask } from '../../http/ask.js';
import { type Service, startService } from '../../http/service.js';
import { repeats } from '../../support/repeats.js';

/** How often the server is restarted and held up. A short run shows that nothing is broken. */
const rounds = repeats('RESTARTS');
// Below the ports that the system gives to outgoing connections, one of which may have any of those.
const port = Number(process.env.OWN_PG_PORT ?? 28_540);

let postgres: OwnPostgres;
let service: Service;
beforeAll(async () => {
  postgres = await ownPostgres(port);
  service = await startService({ DATABASE_URL: postgres.url, LOG_LEVEL: 'silent', ...owner });
});
afterAll(async () => {
  await service.stop();
  await postgres.remove();
});

it('answers by codes while PostgreSQL restarts or stands still, and loses nothing', async () => {
  const origin = service.app.server.listeningOrigin;
  const load = startLoad(origin, 16, await linkedAgent(origin));
  const ready = async () => (await ask(origin, 'GET', '/readyz')).status === 200;
  for (let round = 0; round < rounds; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    if (round % 3 === 1) await postgres.pause(7000);
    else await postgres.restart(round % 3 === 0 ? 1000 : 0);
    await until(60_000, ready);
  }
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const reported = await load.stop();
  expect(reported.wrong).toEqual([]);
  expect([...reported.memories.values()].length).toBeGreaterThan(10);
  await service.settled();
  expect(await faultsAfter(postgres.url, reported)).toEqual([]);
});
