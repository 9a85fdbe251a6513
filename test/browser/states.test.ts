import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signedIn } from '../http/person.js';
import { base, type Console, startConsole } from './console.js';
import { ada } from './filled.js';
import { look as lookNow } from './walk.js';

const text = 'The harbour master has moved to the north pier.\n\nHis office opens at nine.';

describe('the states of pages, in a browser', () => {
  let consoleOf: Console;
  let person: Person;
  beforeAll(async () => {
    consoleOf = await startConsole();
    person = await signedIn(consoleOf.service, ada);
  });
  afterAll(() => consoleOf.stop());

  const look = (page: Page, name: string) => lookNow(page, `state-${name}-${page.viewportSize()?.width}`);

  const write = async (page: Page, content: string) => {
    await page.goto(`${base}/memories/new`);
    await page.fill('#content', content);
  };

  // @covers PAGES-SESSION-ENDED PAGES-STALE PAGES-READERS PAGES-LOOKS
  it.each([
    [375, 'dark', true],
    [1280, 'light', false],
  ] as const)(
    'fit and keep what was typed, at %i pixels and %s',
    { timeout: 300_000 },
    async (width, colorScheme, javaScriptEnabled) => {
      const { context, page } = await consoleOf.signedIn({
        viewport: { width, height: 800 },
        colorScheme,
        javaScriptEnabled,
      });
      await write(page, text);
      await context.clearCookies();
      await page.click('main form button');
      await look(page, 'ended');
      await page.fill('#email', ada.email);
      await page.fill('#password', ada.password);
      await page.click('main button');
      expect(await page.inputValue('#content')).toBe(text);
      await look(page, 'back');
      await page.click('main form button');
      await page.waitForURL('**/m/*');
      expect(await page.locator('main').innerText()).toContain('His office opens at nine.');

      await write(page, 'x '.repeat(40_000));
      await context.clearCookies();
      await page.click('main form button');
      await look(page, 'ended-long');
      const [tab] = await Promise.all([context.waitForEvent('page'), page.click('main .lead a')]);
      await tab.fill('#email', ada.email);
      await tab.fill('#password', ada.password);
      await tab.click('main button');
      await tab.waitForLoadState('load');
      await tab.close();
      await page.click('main form button');
      expect((await page.inputValue('#content')).length).toBe(80_000);
      await look(page, 'stale');

      await write(page, ' ');
      await page.click('main form button');
      await look(page, 'refused');
      await person.call('PUT', '/v1/rules', { pause_all: true, sensitive: 'redact' });
      for (const path of ['/memories/new', '/approvals', '/memories']) {
        await page.goto(`${base}${path}`);
        await look(page, `paused${path.replaceAll('/', '-')}`);
      }
      await page.goto(`${base}/memories/new`);
      expect(await page.locator('main form button').isDisabled()).toBe(true);
      await person.call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact' });
      for (const [name, path] of [
        ['404', '/no-such-page'],
        ['404-memory', '/m/0192f0c4-8000-7000-8000-00000000000a'],
      ] as const) {
        await page.goto(`${base}${path}`);
        await look(page, name);
      }
      await context.close();
    },
  );
});
