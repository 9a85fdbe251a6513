import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base, type Console, startConsole } from './console.js';

/** How long a change is waited for: a busy machine needs seconds where an idle one needs none. */
const patience = { timeout: 300_000 };

describe('the script of the console', () => {
  let consoleOf: Console;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    consoleOf = await startConsole();
    ({ context, page } = await consoleOf.signedIn({ viewport: { width: 1280, height: 900 } }));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterAll(() => consoleOf.stop());

  const write = (content: string) => consoleOf.service.call('POST', '/v1/memories', { content });
  const entries = async (of: Page) => (await of.locator('tbody td:nth-child(4)').allInnerTexts()).map(Number);
  const listen = () => {
    const documents: string[] = [];
    page.on('framenavigated', () => documents.push(page.url()));
    return documents;
  };

  it('opens a receipt beside the list without loading the page, and Back closes it', async () => {
    await page.goto(`${base}/receipts`);
    await page.evaluate('window.isSame = true');
    await page.locator('tbody tr a.whole').nth(2).click();
    await page.waitForSelector('.peek');
    expect(page.url()).toMatch(/\/receipts\?open=rcp_\w{32}$/);
    const first = page.url();
    await page.click('.peek >> text=Next');
    await expect.poll(() => page.url(), patience).not.toBe(first);
    expect(await page.locator('tr[aria-selected=true]').count()).toBe(1);
    await page.goBack();
    await expect.poll(() => page.url(), patience).toBe(first);
    await page.waitForSelector('.peek');
    await page.click('.peek >> text=Close');
    await page.waitForSelector('.peek', { state: 'detached' });
    expect(await page.evaluate('window.isSame')).toBe(true);
  });

  it('filters the list of memories while a person types, writes no receipt for that, and leaves the focus', async () => {
    await page.goto(`${base}/memories`);
    const newest = async () =>
      (await consoleOf.service.call('GET', '/v1/receipts?kind=memory.recall&limit=1')).json.data.length;
    const before = await newest();
    await page.locator('input[name=q]').pressSequentially('ferry', { delay: 20 });
    await page.waitForURL('**/memories?q=ferry');
    await page.locator('h2', { hasText: 'that match' }).waitFor();
    const focused = await page.evaluate('document.activeElement.name + "=" + document.activeElement.value');
    expect([focused, await newest()]).toEqual(['q=ferry', before]);
    await page.goBack();
    expect(page.url()).not.toContain('q=');
  });

  it('follows what is recorded: each entry once, in order, while 200 are written', { timeout: 300_000 }, async () => {
    await page.goto(`${base}/receipts?follow=1`);
    const [newest = 0] = await entries(page);
    for (let n = 0; n < 50; n += 1)
      await Promise.all([0, 1, 2, 3].map((part) => write(`Entry ${n} ${part} of the tail.`)));
    await expect.poll(() => page.locator('tbody tr').count(), patience).toBeGreaterThanOrEqual(225);
    const seen = (await entries(page)).filter((entry) => entry > newest);
    expect(seen).toEqual(Array.from({ length: 200 }, (_, at) => newest + 200 - at));
    expect(await page.locator('cf-tail').getAttribute('data-state')).toBe('live');
  });

  it('holds new entries back while the list is scrolled or paused, and adds them then', {
    timeout: 300_000,
  }, async () => {
    const rows = () => page.locator('tbody tr').count();
    const before = await rows();
    await page.evaluate('scrollTo(0, 2000)');
    await write('An entry below the window.');
    const fresh = page.locator('cf-tail button', { hasText: 'new' });
    await fresh.waitFor({ timeout: 120_000 });
    expect([await fresh.innerText(), await rows()]).toEqual(['1 new', before]);
    await page.evaluate('scrollTo(0, 0)');
    await expect.poll(rows, patience).toBe(before + 1);
    await page.click('cf-tail >> text=Pause');
    await write('An entry during the pause.');
    await page.waitForTimeout(3000);
    expect([await rows(), await page.locator('cf-tail').getAttribute('data-state')]).toEqual([before + 1, 'paused']);
    await page.click('cf-tail >> text=Continue');
    await expect.poll(rows, patience).toBe(before + 2);
  });

  it('says that the session has ended, and the way back leads to the same list', { timeout: 300_000 }, async () => {
    const cookies = await context.cookies();
    await context.clearCookies();
    await page.waitForSelector('cf-tail[data-state="session ended"]', { timeout: 60_000 });
    expect(await page.locator('cf-tail [role=status]').innerText()).toContain('The session has ended.');
    expect(await page.locator('cf-tail a').getAttribute('href')).toBe('/sign-in?next=%2Freceipts%3Ffollow%3D1');
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(200);
    await context.addCookies(cookies);
  });

  it('follows a link to the sign-in when the session has ended, as the browser would', async () => {
    await page.goto(`${base}/receipts`);
    const cookies = await context.cookies();
    await context.clearCookies();
    const documents = listen();
    await page.locator('tbody tr a.whole').first().click();
    await page.waitForURL('**/sign-in?next=*');
    expect(documents).toHaveLength(1);
    await context.addCookies(cookies);
  });

  it('leaves the page as it is while the service does not answer, and says so', async () => {
    await page.goto(`${base}/receipts`);
    await page.route('**/receipts?open=*', (route) => route.abort());
    await page.locator('tbody tr a.whole').first().click();
    await page.waitForSelector('#of-before');
    expect(await page.locator('#of-before').innerText()).toContain('The service does not answer.');
    expect(await page.locator('tbody tr').count()).toBe(25);
    await page.unroute('**/receipts?open=*');
    await page.click('#of-before button');
    await page.waitForSelector('.peek');
    expect(await page.locator('#of-before').count()).toBe(0);
    complaints.length = 0;
  });

  it('waits as the service asks, counts down, and asks again', async () => {
    await page.goto(`${base}/receipts`);
    let asked = 0;
    await page.route('**/receipts?open=*', async (route) => {
      asked += 1;
      if (asked === 1) await route.fulfill({ status: 429, headers: { 'retry-after': '2' }, body: '' });
      else await route.continue();
    });
    await page.locator('tbody tr a.whole').first().click();
    await page.waitForSelector('#of-before');
    expect(await page.locator('#of-before').innerText()).toMatch(/asked again in \d s/);
    await page.waitForSelector('.peek');
    expect(asked).toBe(2);
    await page.unroute('**/receipts?open=*');
    complaints.length = 0;
  });

  it('checks the bundle of a receipt in the browser, and says whose page that is', async () => {
    const receipt = consoleOf.paths.find((path) => /^\/receipts\/rcp_\w+$/.test(path)) ?? '';
    await page.goto(`${base}${receipt}`);
    await page.click('cf-verify button');
    const result = page.locator('cf-verify [data-tone]');
    await result.waitFor();
    const text = await result.innerText();
    expect(text).toContain('Verified in this browser');
    expect(text).toContain('come from the same service');
    expect(text).toMatch(/Inclusion\s+verified/);
    expect(text).toMatch(/Checkpoint\s+verified/);
    // Another service, or a person in between, gives another bundle.
    const bundle = await consoleOf.service.call('GET', `/v1${receipt}/proof`);
    const entry = Buffer.from(bundle.json.entry, 'base64').toString('utf8').replace('memory.write', 'memory.moved');
    const changed = JSON.stringify({ ...bundle.json, entry: Buffer.from(entry, 'utf8').toString('base64') });
    await page.route('**/proof', (route) => route.fulfill({ contentType: 'application/json', body: changed }));
    await page.reload();
    await page.click('cf-verify button');
    await page.waitForSelector('cf-verify [data-tone=failed]');
    await page.unroute('**/proof');
  });

  it('knows single keys, which do nothing in fields and can be switched off', async () => {
    await page.goto(`${base}/memories`);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    expect(await page.locator('tbody input:checked').count()).toBe(1);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/m/*');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.waitForURL('**/receipts');
    await page.keyboard.press('/');
    await page.keyboard.type('gm?');
    expect([page.url(), await page.inputValue('input[name=find]')]).toEqual([`${base}/receipts`, 'gm?']);
    await page.locator('body').press('Tab');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await page.uncheck('#use-single-keys');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.waitForTimeout(300);
    expect(page.url()).toBe(`${base}/receipts`);
    await page.keyboard.press('?');
    await page.check('#use-single-keys');
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });

  it('shows no entry twice when the tab comes back while an answer is on its way', { timeout: 300_000 }, async () => {
    await page.goto(`${base}/receipts?follow=1`);
    const before = await page.locator('tbody tr').count();
    await page.route('**/receipts?*after=*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await route.continue();
    });
    const asked = page.waitForRequest('**/receipts?*after=*');
    await write('An entry while the tab comes back.');
    await asked;
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await expect.poll(() => page.locator('tbody tr').count(), patience).toBe(before + 1);
    await page.waitForTimeout(3500);
    expect(await page.locator('tbody tr').count()).toBe(before + 1);
    // The page looks every few seconds, so a look may be on its way here: its handler must end before the page is left.
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('leaves what was typed where a person follows a link within the page', async () => {
    await page.goto(`${base}/memories/new`);
    await page.fill('#content', 'A text that is not sent yet.');
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await page.waitForTimeout(1000);
    expect([page.url(), await page.inputValue('#content')]).toEqual([
      `${base}/memories/new#main`,
      'A text that is not sent yet.',
    ]);
  });
});
