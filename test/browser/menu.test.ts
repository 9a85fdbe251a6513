import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { base, type Console, startConsole } from './console.js';
import { firstVisit } from './first-visit.js';
import { keyboardOf } from './keyboard.js';
import { overflow } from './looks.js';
import { brokenRules } from './rules.js';
import { resize, type Window, windows } from './walk.js';

/** How long a change is waited for: a busy machine needs seconds where an idle one needs none. */
const patience = { timeout: 300_000 };

describe('the command menu', { timeout: 300_000 }, () => {
  let consoleOf: Console;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    consoleOf = await startConsole();
    ({ context, page } = await consoleOf.signedIn({ viewport: { width: 1280, height: 800 } }));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  beforeEach(async () => {
    await page.goto(`${base}/people`);
  });
  afterAll(() => consoleOf.stop());

  const menu = () => page.getByRole('dialog', { name: 'Find a page or an action' });
  const field = () => menu().getByRole('combobox', { name: 'Page or action' });
  const options = () => menu().getByRole('option').allInnerTexts();
  const open = async () => {
    await page.keyboard.press('Control+k');
    await menu().getByRole('option').first().waitFor(patience);
  };
  /** The option that a screen reader reads while the focus is in the field. */
  const active = async () => {
    const id = await field().getAttribute('aria-activedescendant');
    const selected = await menu().getByRole('option', { selected: true }).all();
    expect([selected.length, await selected[0]?.getAttribute('id')]).toEqual([1, id]);
    return (await selected[0]?.innerText())?.replace(/\s+/g, ' ');
  };
  const isIn = async (path: string) => {
    await page.waitForURL(`${base}${path}`, patience);
    await page.waitForLoadState('load');
  };

  it('opens with Ctrl+K, finds a page by its name, and goes there with Enter', async () => {
    await open();
    await expect.poll(() => field().evaluate((one) => one.matches(':focus'))).toBe(true);
    expect(await active()).toBe('Overview');
    await page.keyboard.type('webhook');
    expect((await options()).map((one) => one.replace(/\s+/g, ' '))).toEqual(['Webhooks Access', 'Add a webhook']);
    expect(await menu().getByRole('status').innerText()).toBe('2 found');
    await page.keyboard.press('Enter');
    await isIn('/webhooks');
  });

  it('moves with the arrows, from the last choice to the first, and keeps the focus in the field', async () => {
    await open();
    await page.keyboard.type('agent');
    const all = (await options()).map((one) => one.replace(/\s+/g, ' '));
    expect(all.length).toBeGreaterThan(3);
    await page.keyboard.press('ArrowDown');
    expect(await active()).toBe(all[1]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await active()).toBe(all.at(-1));
    await page.keyboard.press('ArrowDown');
    expect(await active()).toBe(all[0]);
    expect(await field().evaluate((one) => one.matches(':focus'))).toBe(true);
  });

  it('closes with Escape and with Ctrl+K, and the focus comes back to where it was', async () => {
    for (const key of ['Escape', 'Control+k']) {
      await page.focus('#email');
      await open();
      await page.keyboard.press(key);
      await menu().waitFor({ state: 'detached', ...patience });
      expect(await page.evaluate('document.activeElement.id')).toBe('email');
    }
  });

  it('leads an action to its form and does nothing by itself', async () => {
    const newest = async () => (await consoleOf.service.call('GET', '/v1/receipts?limit=1')).json.data[0].seq;
    const before = await newest();
    const actions = { 'write a mem': '/memories/new', 'api key': '/keys#make', 'pause all': '/rules#pause' };
    for (const [typed, path] of Object.entries(actions)) {
      await open();
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
      await isIn(path);
      expect(await page.locator('main form').count()).toBeGreaterThan(0);
    }
    // A form of the page that is open: the menu is gone, and the next stop of the tabulator is in the form.
    await open();
    await page.keyboard.type('add a rule');
    await page.keyboard.press('Enter');
    await isIn('/rules#add');
    await menu().waitFor({ state: 'detached', ...patience });
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.closest('#add') !== null")).toBe(true);
    expect(await newest()).toBe(before);
  });

  it('says that nothing has such a name, and Enter does nothing then', async () => {
    await open();
    await page.keyboard.type('<b>lighthouse</b>');
    expect(await options()).toEqual([]);
    expect(await menu().getByRole('status').innerText()).toBe('Nothing here is called “<b>lighthouse</b>”.');
    expect(await field().getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    expect(page.url()).toBe(`${base}/people`);
  });

  it('follows what was typed and entered before the entries are there', async () => {
    await page.route('**/find', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('grants');
    await page.keyboard.press('Enter');
    await isIn('/grants');
    await page.unroute('**/find');
  });

  it('says so while the service does not answer', async () => {
    await page.route('**/find', (route) => route.abort());
    await page.keyboard.press('Control+k');
    await menu().getByText('The service does not answer.').waitFor(patience);
    await page.unroute('**/find');
    complaints.length = 0;
  });

  it('opens from the header and takes the place of the list of keys, which names it', async () => {
    await page.locator('.person summary').click();
    await page.locator('.person').getByRole('link', { name: 'Find a page or an action' }).click();
    await menu().waitFor(patience);
    expect(page.url()).toBe(`${base}/people`);
    await page.keyboard.press('Escape');
    await menu().waitFor({ state: 'detached', ...patience });
    await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('summary');
    await page.keyboard.press('?');
    expect(await page.locator('#single-keys').innerText()).toContain('Ctrl+K');
    await open();
    expect(await page.locator('dialog[open]').count()).toBe(1);
  });

  // @covers PAGES-LOOKS
  it('breaks no rule of axe-core seriously, and fits every window', async () => {
    await open();
    const seen: readonly Window[] = [[320, 'light'], ...windows];
    for (const window of seen) {
      await resize(page, window);
      expect([window, await brokenRules(page), await overflow(page)]).toEqual([window, [], 0]);
      const { width = 0, x = 0 } = (await menu().boundingBox()) ?? {};
      expect([window, x >= 0 && x + width <= window[0]]).toEqual([window, true]);
    }
    await resize(page, [1280, 'light']);
    // Both places of the tabulator, and every choice with the arrows, are seen.
    const keys = keyboardOf(page);
    await keys.reach('Close');
    await page.keyboard.press('Shift+Tab');
    for (const option of await menu().getByRole('option').all()) {
      expect(await option.getAttribute('aria-selected')).toBe('true');
      await expect.poll(() => option.evaluate((one) => one.checkVisibility())).toBe(true);
      await page.keyboard.press('ArrowDown');
    }
  });

  it('costs nothing before it is opened, and one small answer then', async () => {
    const { requests } = await firstVisit(page, `${base}/people`);
    expect(requests).toBeLessThanOrEqual(5);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await open();
    expect(asked).toEqual(['/find']);
  });

  it('has the same pages and actions without a script', async () => {
    await open();
    const all = (await options()).map((one) => one.replace(/\s+/g, ' '));
    const { context: plain, page: without } = await consoleOf.signedIn({ javaScriptEnabled: false });
    await without.goto(`${base}/people`);
    await without.locator('.person summary').click();
    await without.locator('.person').getByRole('link', { name: 'Find a page or an action' }).click();
    await without.waitForURL(`${base}/find`);
    expect(await without.locator('main section a').allInnerTexts()).toEqual(all);
    await plain.close();
  });

  it('made the browser complain about nothing', async () => {
    expect(complaints).toEqual([]);
    await context.close();
  });
});
