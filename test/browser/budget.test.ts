import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base, type Console, startConsole } from './console.js';

const kilobyte = 1000;

interface Loaded {
  readonly requests: number;
  /** Bytes on the wire, compressed, with headers. */
  readonly bytes: number;
  readonly scriptBytes: number;
  readonly elements: number;
}

describe('the budget of pages, at the first visit', () => {
  let consoleOf: Console;
  beforeAll(async () => {
    consoleOf = await startConsole();
  });
  afterAll(() => consoleOf.stop());

  /** Opens an address without anything in the cache, and counts what comes over the wire. */
  async function load(page: Page, path: string): Promise<Loaded> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const kinds = new Map<string, string>();
    let [requests, bytes, scriptBytes] = [0, 0, 0];
    session.on('Network.responseReceived', ({ requestId, type, response }) => {
      if (response.url.startsWith('data:')) return;
      kinds.set(requestId, type);
      requests += 1;
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId);
      if (kind === undefined) return;
      bytes += encodedDataLength;
      if (kind === 'Script') scriptBytes += encodedDataLength;
    });
    await page.goto(`${base}${path}`, { waitUntil: 'networkidle' });
    const elements = await page.evaluate<number>("document.querySelectorAll('*').length");
    await session.detach();
    return { requests, bytes, scriptBytes, elements };
  }

  // @covers PAGES-LOOKS
  it('is held by each page of the console: 60 kB, of it 15 of script, 5 requests, 3,000 elements', async () => {
    const { context, page } = await consoleOf.signedIn();
    for (const path of consoleOf.paths) {
      const loaded = await load(page, path);
      if (process.env.BUDGET === 'print') console.info(path, loaded);
      expect([path, loaded.bytes < 60 * kilobyte, loaded]).toEqual([path, true, loaded]);
      expect([path, loaded.scriptBytes < 15 * kilobyte, loaded]).toEqual([path, true, loaded]);
      expect([path, loaded.requests <= 5, loaded.elements <= 3000]).toEqual([path, true, true]);
    }
    await context.close();
  });

  it('is held by /verify, and by a receipt that was verified in the browser: 60 kB of script', async () => {
    const { context, page } = await consoleOf.signedIn();
    expect((await load(page, '/verify')).scriptBytes).toBeLessThan(60 * kilobyte);
    const receipt = consoleOf.paths.find((path) => /^\/receipts\/rcp_\w+$/.test(path)) ?? '';
    await page.goto(`${base}${receipt}`);
    const scripts: number[] = [];
    page.on('requestfinished', async (request) => {
      if (request.resourceType() === 'script') scripts.push((await request.sizes()).responseBodySize);
    });
    await page.click('cf-verify button');
    await page.waitForSelector('cf-verify [data-tone]');
    expect(scripts).toHaveLength(1);
    expect(scripts[0]).toBeLessThan(60 * kilobyte);
    await context.close();
  });

  it('needs no more than the text of the next page when the files are known', async () => {
    const { context, page } = await consoleOf.signedIn();
    await page.goto(`${base}/receipts`, { waitUntil: 'networkidle' });
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    const loaded: string[] = [];
    const known = new Set<string>();
    session.on('Network.requestServedFromCache', ({ requestId }) => known.add(requestId));
    session.on('Network.responseReceived', ({ requestId, response }) => {
      const isCached = response.fromDiskCache || known.has(requestId);
      if (!isCached && !response.url.startsWith('data:')) loaded.push(new URL(response.url).pathname);
    });
    await page.goto(`${base}/memories`, { waitUntil: 'networkidle' });
    expect(loaded).toEqual(['/memories']);
    await context.close();
  });
});
