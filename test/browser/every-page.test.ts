import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base, type Console, startConsole } from './console.js';
import { firstVisit } from './first-visit.js';
import { overflow } from './looks.js';
import { brokenRules } from './rules.js';
import { lookInEach, nameOf, resize, type Window } from './walk.js';

/** Each width and theme with LOOKS=all; without it a phone by day and a desk by night, which has found everything so far. */
const seenByAxe: readonly Window[] =
  process.env.LOOKS === 'all'
    ? [320, 375, 768, 1280].flatMap((width): Window[] => [
        [width, 'light'],
        [width, 'dark'],
      ])
    : [
        [375, 'light'],
        [1280, 'dark'],
      ];

/** The pages that are the same for everyone. */
const open = [
  '/verify',
  '/developers',
  '/developers/start',
  '/developers/guides/mcp',
  '/developers/api',
  '/developers/api/approvals',
];

const kilobyte = 1000;

/** Most of what a page costs is to open it, so each is opened once with scripts and once without, and then seen in every way. */
describe('every page of the console', () => {
  let consoleOf: Console;
  beforeAll(async () => {
    consoleOf = await startConsole();
  });
  afterAll(() => consoleOf.stop());

  /** 60 kB, of it 15 of script, 5 requests, 3,000 elements: what no page exceeds at the first visit. */
  async function holdsBudget(page: Page, path: string): Promise<void> {
    const loaded = await firstVisit(page, `${base}${path}`);
    if (process.env.BUDGET === 'print') console.info(path, loaded);
    expect([path, loaded.bytes < 60 * kilobyte, loaded]).toEqual([path, true, loaded]);
    expect([path, loaded.scriptBytes < 15 * kilobyte, loaded]).toEqual([path, true, loaded]);
    expect([path, loaded.requests <= 5, loaded.elements <= 3000]).toEqual([path, true, true]);
  }

  async function breaksNoRule(page: Page, path: string): Promise<void> {
    // The list of the documentation is a box that scrolls: a link that its upper edge cuts would count as too small.
    await page.evaluate("document.querySelector('.contents')?.scrollTo(0, 0)");
    expect([path, page.viewportSize(), await brokenRules(page)]).toEqual([path, page.viewportSize(), []]);
    expect([path, page.viewportSize(), await overflow(page)]).toEqual([path, page.viewportSize(), 0]);
  }

  /** Text twice as large on a screen with twice as many dots, which is what a zoom to 400 % of a desk leaves. */
  async function fitsWhenZoomed(page: Page, path: string): Promise<void> {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setDeviceMetricsOverride', {
      width: 640,
      height: 400,
      deviceScaleFactor: 2,
      mobile: false,
    });
    await expect.poll(() => page.evaluate('[innerWidth, devicePixelRatio]')).toEqual([640, 2]);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect([path, 'zoomed', await overflow(page)]).toEqual([path, 'zoomed', 0]);
    await page.evaluate("document.documentElement.style.fontSize = ''");
    await session.detach();
  }

  /** The last look at a page, because the style of its texts is another one after it. */
  async function fitsWithSpacing(page: Page, path: string): Promise<void> {
    await resize(page, [320, 'light'], 640);
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    expect([path, await overflow(page)]).toEqual([path, 0]);
    // The spacing of WCAG 1.4.12. The policy of the page allows no style of ours but this one, which is set by the browser itself.
    await page.evaluate(`for (const one of document.querySelectorAll('main, main *')) {
      one.style.lineHeight = '1.5'; one.style.letterSpacing = '0.12em'; one.style.wordSpacing = '0.16em';
    }`);
    expect([path, 'with spacing', await overflow(page)]).toEqual([path, 'with spacing', 0]);
    await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'no-preference' });
  }

  // @covers PAGES-LOOKS
  it('holds the budget, breaks no rule of axe-core seriously, and can be read at 320 pixels, with text twice as large, wider spacing and forced colours', {
    timeout: 600_000,
  }, async () => {
    const { context, page } = await consoleOf.signedIn();
    for (const path of consoleOf.paths) {
      await holdsBudget(page, path);
      for (const window of seenByAxe) {
        await resize(page, window);
        await breaksNoRule(page, path);
      }
      await fitsWhenZoomed(page, path);
      await fitsWithSpacing(page, path);
    }
    // The scripts of these look at the window when the page is opened.
    for (const path of open) {
      for (const window of seenByAxe) {
        await resize(page, window);
        await page.goto(`${base}${path}`);
        await breaksNoRule(page, path);
      }
    }
    await context.close();
  });

  // @covers PAGES-LOOKS
  it('can be read without scripts, at each width and in both themes', { timeout: 600_000 }, async () => {
    const { context, page } = await consoleOf.signedIn({ javaScriptEnabled: false });
    const complaints: string[] = [];
    page.on('console', (message) => {
      // A browser reports an answer with the status of an error.
      if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
    });
    for (const path of consoleOf.paths) {
      await page.goto(`${base}${path}`);
      await lookInEach(page, nameOf(path));
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('is looked at by a check that finds faults', async () => {
    const { context, page } = await consoleOf.signedIn();
    await page.goto(`${base}/receipts`);
    await page.evaluate("document.querySelector('main').append(document.createElement('button'))");
    expect(await brokenRules(page)).toEqual(['button-name: <button></button>']);
    await context.close();
  });

  it('keeps to 60 kB of script at /verify, and where a receipt is verified in the browser', async () => {
    const { context, page } = await consoleOf.signedIn();
    expect((await firstVisit(page, `${base}/verify`)).scriptBytes).toBeLessThan(60 * kilobyte);
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
