import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './service.js';

describe('the pages', () => {
  let service: Service;
  const get = (path: string, headers = {}) => fetch(`${service.app.server.listeningOrigin}${path}`, { headers });
  beforeAll(async () => {
    service = await startService({ RATE_LIMITS: 'on' });
  });
  afterAll(() => service.stop());

  it.each([
    ['/verify', 'text/html; charset=utf-8'],
    ['/verify/page.css', 'text/css; charset=utf-8'],
    ['/verify/result.css', 'text/css; charset=utf-8'],
    ['/verify/main.js', 'text/javascript; charset=utf-8'],
    ['/developers', 'text/html; charset=utf-8'],
    ['/developers/page.css', 'text/css; charset=utf-8'],
    ['/developers/main.js', 'text/javascript; charset=utf-8'],
    ['/developers/openapi.yaml', 'application/yaml'],
  ])('%s is served to anybody, and kept as long as it is the same', async (path, type) => {
    const first = await get(path);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, type]);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    const second = await get(path, { 'if-none-match': etag });
    expect([second.status, second.headers.get('etag'), await second.text()]).toEqual([304, etag, '']);
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('run their own scripts only, and in nobody’s frame', async () => {
    const { headers } = await get('/verify');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('name nothing of another origin, and have no script or style inside', async () => {
    const paths = ['/verify', '/verify/page.css', '/verify/result.css', '/developers', '/developers/page.css'];
    for (const path of paths) {
      const text = await (await get(path)).text();
      // What a page shows as text is asked by nobody, and nor is the name of a language.
      const tags = path.endsWith('.css') ? text : text.replaceAll(/>[^<]*</g, '><');
      expect(tags.replaceAll("'http://www.w3.org/2000/svg'", '')).not.toMatch(
        /https?:|url\(|@import|<style| style=| on\w+=/,
      );
    }
    for (const page of ['verify', 'developers']) {
      expect(await (await get(`/${page}`)).text()).toContain(`<script type="module" src="${page}/main.js"></script>`);
    }
  });

  it.each([
    '/verify/',
    '/verify/main.ts',
    '/verify/page.html',
    '/verify/../package.json',
    '/verify/%2e%2e/main.js',
  ])('%s is not there', async (path) => expect((await get(path)).status).toBe(404));

  it('are not counted as requests', async () => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < 320; sent += 1) statuses.add((await get('/verify')).status);
    expect([...statuses]).toEqual([200]);
  });
});
