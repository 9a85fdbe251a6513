import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../http/service.js';
import { openBrowser, openWindow, styleOf } from './window.js';

const phone = { width: 390, height: 844 };

describe('the pages of the documentation', () => {
  let browser: Browser;
  let service: Service;
  const open = (path: string, options = {}) =>
    openWindow(browser, `${service.app.server.listeningOrigin}/developers${path}`, options);
  beforeAll(async () => {
    [browser, service] = await Promise.all([openBrowser(), startService()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it('find a section of another page by its words, and open it', async () => {
    const { page, complaints, requests } = await open('/start');
    await page.fill('#find', 'idempot');
    await page.locator('#found a', { hasText: 'Send a request twice safely' }).click();
    await page.waitForURL('**/developers/guides/memories#send-a-request-twice-safely');
    expect(await page.locator('h1').innerText()).toBe('Writing and searching memories');
    await page.fill('#find', 'xylophones of quartz');
    await expect.poll(() => page.locator('#found').innerText()).toBe('No section has all of these words.');
    expect(complaints).toEqual([]);
    expect(
      requests.filter((url) => !url.startsWith(service.app.server.listeningOrigin) && !url.startsWith('data:')),
    ).toEqual([]);
  });

  it('find operations of the API', async () => {
    const { page } = await open('');
    await page.fill('#find', 'approve request once');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/developers/api/approvals#approve');
    expect(await page.locator('#approve h2').innerText()).toContain('Approve a request');
  });

  it('lead from the anchors of the reference in one page to where they are now, also without a script', async () => {
    for (const [anchor, to] of [
      ['approve', 'approvals#approve'],
      ['error-tenant_paused', 'errors#error-tenant_paused'],
      ['shape-MemberIn', 'workspace#shape-MemberIn'],
    ]) {
      const { page, complaints } = await open(`/api#${anchor}`);
      await page.waitForURL(`**/developers/api/${to}`);
      expect(await page.locator(`[id="${anchor}"]`).count()).toBe(1);
      expect(complaints).toEqual([]);
      const plain = await open(`/api#${anchor}`, { javaScriptEnabled: false });
      await plain.page.locator(`[id="${anchor}"] a`).click();
      await plain.page.waitForURL(`**/developers/api/${to}`);
    }
  });

  it('copy commands, and have no button at answers', async () => {
    const { page } = await open('/guides/memories', { permissions: ['clipboard-read', 'clipboard-write'] });
    const block = page.locator('figure.command').nth(1);
    await block.locator('button').click();
    await expect.poll(() => block.locator('button').innerText()).toBe('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await block.locator('code').textContent());
    expect(await page.locator('figure.answer button').count()).toBe(0);
  });

  it.each([
    '',
    '/guides/webhooks',
    '/reference/settings',
    '/internals/architecture',
    '/api',
    '/api/memories',
    '/api/errors',
  ])('%s fits on a phone, with the navigation closed', async (path) => {
    const { page, complaints } = await open(path, { viewport: phone });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await page.locator('.groups').isVisible()).toBe(false);
    await page.locator('.contents summary').click();
    expect(await page.locator('.groups').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it.each([
    700, 1500,
  ])('begin with their title, and show where they are in the navigation, in a window of %i pixels', async (height) => {
    const { page } = await open('/internals/architecture', { viewport: { width: 1280, height } });
    const isInView = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= height;
    };
    await expect.poll(() => isInView('.contents [aria-current="page"]')).toBe(true);
    expect([await page.evaluate('scrollY'), await isInView('h1')]).toEqual([0, true]);
  });

  it('are dark where the reader prefers that', async () => {
    const [light, dark] = await Promise.all([open('/start'), open('/start', { colorScheme: 'dark' })]);
    expect(await styleOf(light.page, 'body', 'backgroundColor')).not.toBe(
      await styleOf(dark.page, 'body', 'backgroundColor'),
    );
  });
});
