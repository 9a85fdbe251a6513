import { expect, it } from 'vitest';
import { rateLimits } from '../../../contracts/limits.js';
import { startService } from '../../http/service.js';
import { type Reader, reader, signedInReader } from '../../pages/reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };

/** @returns the answers to this number of requests for a page, by status */
async function opened(browser: Reader, path: string, count: number): Promise<Record<number, number>> {
  const found: Record<number, number> = {};
  for (let n = 0; n < count; n += 20) {
    const some = Array.from({ length: Math.min(20, count - n) }, () => browser.get(path));
    for (const { status } of await Promise.all(some)) found[status] = (found[status] ?? 0) + 1;
  }
  return found;
}

// @covers PAGES-STATES
it('pages of the console count for the session, and pages without one for the address', async () => {
  const service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password, RATE_LIMITS: 'on' });
  const { requests } = rateLimits.sessionPages;
  const first = await signedInReader(service, ada);
  const second = await signedInReader(service, ada);
  expect(await opened(first, '/workspace', requests + 10)).toEqual({ 200: requests, 429: 10 });
  const refused = await first.get('/workspace');
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(refused.text).toContain('may open 600 pages a minute');
  expect(refused.text).toContain('http-equiv="refresh"');
  // Another session of the same person and address has a budget of its own, and so have pages that need no session.
  expect((await second.get('/workspace')).status).toBe(200);
  expect((await reader(service).get('/sign-in')).status).toBe(200);
  await service.stop();
});

// @covers PAGES-STATES
it('a cookie that the service has not signed counts for the address', async () => {
  const service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password, RATE_LIMITS: 'on' });
  const origin = service.app.server.listeningOrigin;
  const { requests } = rateLimits.pages;
  const statuses = await Promise.all(
    Array.from({ length: requests + 10 }, async (_, n) => {
      const headers = { cookie: `service_session=eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIke259In0.${n}`, accept: 'text/html' };
      return (await fetch(`${origin}/workspace`, { headers, redirect: 'manual' })).status;
    }),
  );
  expect(statuses.filter((status) => status === 429).length).toBe(10);
  await service.stop();
});
