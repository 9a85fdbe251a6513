import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiDocument } from '../../ops/build/developers/openapi-file.js';
import { apiPathOf, errorsId, tagsOf } from '../../ops/build/developers/place.js';
import { docFiles, pathOf } from '../../ops/build/developers/site.js';
import { packageRoot } from '../../src/base/package-root.js';
import { addressOf, fileNames } from '../../src/pages/frame/files.js';
import { type Service, startService } from './service.js';

describe('the pages', () => {
  let service: Service;
  const get = (path: string, headers = {}) => fetch(`${service.app.server.listeningOrigin}${path}`, { headers });
  beforeAll(async () => {
    service = await startService({ RATE_LIMITS: 'on', VENDOR_PLATFORMS: 'Acme,b,c,d,e,vendor_platform_1' });
  });
  afterAll(() => service.stop());

  it.each([
    ['/verify', 'text/html; charset=utf-8'],
    ['/developers', 'text/html; charset=utf-8'],
    ['/developers/search.json', 'application/json; charset=utf-8'],
    ['/developers/start', 'text/html; charset=utf-8'],
    ['/developers/guides/webhooks', 'text/html; charset=utf-8'],
    ['/developers/api', 'text/html; charset=utf-8'],
    ['/developers/api/public-log', 'text/html; charset=utf-8'],
    ['/developers/openapi.yaml', 'application/yaml'],
    ['/developers/task-receipt.v1.schema.json', 'application/json; charset=utf-8'],
    ['/developers/task-receipt-market.v1.schema.json', 'application/json; charset=utf-8'],
    ['/developers/task-receipts-record.v1.schema.json', 'application/json; charset=utf-8'],
    ['/developers/dead-letter.v1.schema.json', 'application/json; charset=utf-8'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/favicon.ico', 'image/svg+xml'],
  ])('%s is served without a credential, and validated by its ETag', async (path, type) => {
    const first = await get(path);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, type]);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    const second = await get(path, { 'if-none-match': etag });
    expect([second.status, second.headers.get('etag'), await second.text()]).toEqual([304, etag, '']);
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  // @covers TASK-SCHEMA-SERVED
  it('include the schemas of task receipts, with the platforms of this installation', async () => {
    const served = async (name: string): Promise<unknown> => (await get(`/developers/${name}`)).json();
    const file = (name: string) => JSON.parse(readFileSync(join(packageRoot, 'contracts', name), 'utf8'));
    const [receipt, market] = ['task-receipt.v1.schema.json', 'task-receipt-market.v1.schema.json'];
    const expected = file(receipt);
    expected.properties.platform.enum.splice(8, 6, 'Acme', 'b', 'c', 'd', 'e', 'vendor_platform_1');
    expect(await served(receipt)).toEqual(expected);
    expect(await served(market)).toEqual(file(market));
  });

  it('are found with a slash behind their address, and nothing leads to another host', async () => {
    const led = async (path: string) => {
      const { status, headers } = await fetch(`${service.app.server.listeningOrigin}${path}`, { redirect: 'manual' });
      return [status, headers.get('location')];
    };
    expect(await led('/developers/')).toEqual([308, '/developers']);
    expect(await led('/developers/guides/webhooks/?a=b')).toEqual([308, '/developers/guides/webhooks?a=b']);
    expect(await led('/memories/')).toEqual([308, '/memories']);
    expect(await led('//evil.example/')).toEqual([404, null]);
    expect(await led('/%2fevil.example/')).toEqual([404, null]);
    expect(await led('/\\evil.example/')).toEqual([404, null]);
    expect((await get('/developers/')).status).toBe(200);
  });

  it('run their own scripts only, and cannot be framed', async () => {
    const { headers } = await get('/verify');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  const documentation = [
    ...docFiles.map((file) => `/developers/${pathOf(file)}`.replace(/\/$/, '')),
    ...[...tagsOf(apiDocument()).map(({ id }) => id), errorsId].map((id) => `/developers/${apiPathOf(id)}`),
  ];

  it('include every page of docs, each with the same navigation', async () => {
    expect(documentation.length).toBeGreaterThan(30);
    for (const path of documentation) {
      const reply = await get(path);
      expect([path, reply.status]).toEqual([path, 200]);
      const text = await reply.text();
      for (const group of ['Guides', 'Operating', 'Reference']) expect(text).toContain(`<p class="group">${group}</p>`);
    }
  });

  it('link to pages, sections, scripts and styles that are there', async () => {
    const texts = new Map<string, string>();
    for (const path of documentation) texts.set(path, await (await get(path)).text());
    // Each address is requested once, although every page has the links of the frame.
    const statuses = new Map<string, Promise<number>>();
    const statusOf = (pathname: string) => {
      const status = statuses.get(pathname) ?? get(pathname).then((reply) => reply.status);
      statuses.set(pathname, status);
      return status;
    };
    for (const [path, text] of texts) {
      const links = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
      for (const link of links.filter((one) => !one.startsWith('data:') && !/^https:/.test(one))) {
        const { pathname, hash } = new URL(link, `http://service.example${path}`);
        const target = texts.get(pathname);
        if (target === undefined) expect([path, link, await statusOf(pathname)]).toEqual([path, link, 200]);
        else if (hash !== '')
          expect(target, `${link} in ${path}`).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
      }
    }
  });

  it('load nothing of another origin, and have no script or style inside', async () => {
    const styles = fileNames.filter((name) => name.endsWith('.css')).map(addressOf);
    for (const path of ['/verify', ...styles, ...documentation]) {
      const text = await (await get(path)).text();
      // Text, names of languages and links that a reader may follow load nothing.
      const tags = path.endsWith('.css')
        ? text
        : text.replaceAll(/>[^<]*</g, '><').replaceAll(/<a href="https:[^"]*">/g, '');
      expect(
        tags.replaceAll(/['"]http:\/\/www.w3.org\/2000\/svg['"]/g, '').replaceAll('marker-end="url(#head)"', ''),
      ).not.toMatch(/https?:|url\(|@import|<style| style=| on\w+=/);
    }
    const scriptIn = async (path: string) =>
      /<script type="module" src="([^"]+)">/.exec(await (await get(path)).text())?.[1];
    const [own, ofDocumentation] = [addressOf('verify.js'), addressOf('developers.js').slice(1)];
    expect(await scriptIn('/verify')).toBe(own);
    expect(await scriptIn('/developers')).toBe(ofDocumentation);
    expect(await scriptIn('/developers/start')).toBe(`../${ofDocumentation}`);
    expect(await scriptIn('/developers/guides/webhooks')).toBe(`../../${ofDocumentation}`);
  });

  it.each(
    fileNames,
  )('%s has an address of its content, which browsers may keep forever, and is compressed', async (name) => {
    const reply = await get(addressOf(name), { 'accept-encoding': 'gzip, deflate, br' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(reply.headers.get('vary')).toContain('accept-encoding');
    const { length } = await reply.text();
    expect(reply.headers.get('content-encoding')).toBe(length < 1024 ? null : 'br');
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, identity', null],
    ['identity', null],
    ['zstd', null],
  ])('are encoded for accept-encoding: %s', async (accepted, encoding) => {
    const reply = await get('/verify', { 'accept-encoding': accepted });
    expect([reply.headers.get('content-encoding'), (await reply.text()).slice(0, 15)]).toEqual([
      encoding,
      '<!doctype html>',
    ]);
    const etag = reply.headers.get('etag') ?? '';
    expect((await get('/verify', { 'accept-encoding': accepted, 'if-none-match': etag })).status).toBe(304);
    const others = await get('/verify', { 'accept-encoding': encoding === null ? 'br' : 'identity' });
    expect(others.headers.get('etag')).not.toBe(etag);
  });

  it.each([
    '/verify/main.ts',
    '/verify/page.html',
    '/developers/start.html',
    '/developers/guides',
    '/verify/../package.json',
    '/files/%2e%2e/files.json',
    '/files/../files.json',
    '/files/live.js',
    '/files',
  ])('%s is not there', async (path) => expect((await get(path)).status).toBe(404));

  it('are not counted as requests', async () => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < 320; sent += 1) statuses.add((await get('/verify')).status);
    expect([...statuses]).toEqual([200]);
  });
});
