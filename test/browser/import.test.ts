import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signedIn } from '../http/person.js';
import { base, type Console, startConsole } from './console.js';
import { ada } from './filled.js';
import { overflow } from './looks.js';
import { brokenRules } from './rules.js';
import { seen } from './window.js';

/** A text in which each line is another one. With 24,000 lines it has five parts. */
const linesOf = (lines: number): string =>
  Array.from({ length: lines }, (_, at) => `${String(at).padStart(8, '0')} ${'The tide is high. '.repeat(7)}`).join(
    '\n',
  );

describe('the import of files in a browser', () => {
  let consoleOf: Console;
  let person: Person;
  beforeAll(async () => {
    consoleOf = await startConsole();
    person = await signedIn(consoleOf.service, ada);
  });
  afterAll(() => consoleOf.stop());

  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text, 'utf8') });
  const choose = async (page: Page, ...files: ReturnType<typeof file>[]) => {
    await page.setInputFiles('#file', files);
    await page.click('cf-import form button');
  };
  const words = (page: Page) => page.locator('cf-import').innerText();
  async function partsOf(name: string): Promise<readonly { part: number; parts: number; text: string }[]> {
    const query = new URLSearchParams({ source: 'import:file', limit: '100', include: 'total' });
    const { json } = await person.call('GET', `/v1/memories?${query}`);
    const own = json.data.filter(({ metadata }: { metadata: { file?: string } }) => metadata.file === name);
    return Promise.all(
      own.map(async ({ id, metadata }: { id: string; metadata: { part: number; parts: number } }) => {
        const { content } = (await person.call('GET', `/v1/memories/${id}`)).json;
        return { part: metadata.part, parts: metadata.parts, text: content };
      }),
    );
  }
  const stored = async (name: string) => [...(await partsOf(name))].sort((a, b) => a.part - b.part);

  // @covers PAGES-IMPORT
  it('is interrupted and done again, in three browsers at once: nothing twice, nothing missing', {
    timeout: 240_000,
  }, async () => {
    const text = linesOf(24_000);
    const all = await Promise.all([1, 2, 3].map(() => consoleOf.signedIn()));
    const [first] = all;
    if (!first) throw new Error('there is no browser');
    await first.page.goto(`${base}/import`);
    await choose(first.page, file('tides.txt', text));
    await seen(() => words(first.page)).toMatch(/[1-9] of 5 parts are stored/);
    // The tab dies in the middle, without a question.
    await first.page.close({ runBeforeUnload: false });
    const pages = await Promise.all(all.map(({ context }) => context.newPage()));
    for (const page of pages) await page.goto(`${base}/import`);
    await Promise.all(pages.map((page) => choose(page, file('tides.txt', text))));
    for (const page of pages)
      await expect.poll(() => words(page), { timeout: 120_000 }).toMatch(/5 of 5 parts are stored\. .*Receipts rcp_/);
    await consoleOf.service.settled();
    const parts = await stored('tides.txt');
    expect(parts.map(({ part, parts: of }) => [part, of])).toEqual([1, 2, 3, 4, 5].map((part) => [part, 5]));
    expect(parts.map(({ text: own }) => own).join('') === text).toBe(true);
    for (const { context } of all) await context.close();
  });

  // @covers PAGES-IMPORT
  it('takes files, folders and hostile names, refuses a long PDF before it is sent, and breaks no rule', async () => {
    const { context, page } = await consoleOf.signedIn({ viewport: { width: 320, height: 700 } });
    await page.goto(`${base}/import`);
    const sent: string[] = [];
    page.on('request', (request) => request.url().endsWith('/v1/ingest') && sent.push(request.url()));
    const hostile = '<img src=x onerror=alert(1)>\u202e.txt';
    await choose(
      page,
      file('a.txt', 'The harbour office has moved.'),
      file(hostile, 'A file with a hostile name.'),
      { name: 'long.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(6 * 1024 * 1024, '%PDF-1.7 ') },
      { name: 'noise.bin', mimeType: '', buffer: Buffer.alloc(2 * 1024 * 1024, 0xfe) },
      file('empty.txt', ''),
    );
    await seen(() => words(page)).toContain('2 of 5 files are stored.');
    const shown = await words(page);
    for (const one of [hostile, 'A PDF may have 5 MB at most', 'neither UTF-8 nor UTF-16', 'It is empty.'])
      expect(shown).toContain(one);
    expect(sent).toHaveLength(2);
    expect(await page.locator('cf-import img').count()).toBe(0);
    expect(await page.locator('.uploads a[href^="/receipts/rcp_"]').count()).toBe(2);
    // The list below is read again, and what is in the form and above the list stays.
    await seen(() => page.locator('.rows').innerText()).toContain('a.txt');
    expect(await words(page)).toContain('2 of 5 files are stored.');
    await consoleOf.service.settled();
    await page.waitForSelector('main:not(:has(cf-again)):not([aria-busy])', { timeout: 120_000 });
    expect([await overflow(page), await brokenRules(page)]).toEqual([0, []]);
    await context.close();
  });

  it('waits as long as the service asks, and continues after a failure', async () => {
    const { context, page } = await consoleOf.signedIn();
    await page.goto(`${base}/import`);
    let requests = 0;
    await page.route('**/v1/ingest', (route) => {
      requests += 1;
      if (requests === 1) return route.fulfill({ status: 429, headers: { 'retry-after': '2' }, body: '{}' });
      return requests === 2 ? route.abort() : route.continue();
    });
    await choose(page, file('later.txt', 'A text that is stored later.'));
    await seen(() => words(page)).toContain('The service asks to wait: it continues in 2 s.');
    await seen(() => words(page)).toContain('1 of 1 file is stored.');
    expect(requests).toBe(3);
    await context.close();
  });

  it('stops aloud when the session has ended or the plan is full, and continues', async () => {
    const { context, page } = await consoleOf.signedIn();
    await page.goto(`${base}/import`);
    const cookies = await context.cookies();
    await context.clearCookies();
    await choose(page, file('one.txt', 'A text of a session that has ended.'));
    const alert = page.locator('cf-import [role=alert]');
    await seen(() => alert.innerText()).toContain('Your session has ended.');
    expect(await alert.locator('a').getAttribute('href')).toBe('/sign-in?next=/import');
    await context.addCookies(cookies);
    await alert.getByRole('button', { name: 'Continue' }).click();
    await seen(() => words(page)).toContain('1 of 1 file is stored.');
    await page.route('**/v1/ingest', (route) =>
      route.fulfill({
        status: 402,
        json: { error: 'plan_action_limit', message: 'no', current_plan: 'free', limit: 10_000, used: 10_000 },
      }),
    );
    await choose(page, file('two.txt', 'A text above the plan.'));
    await seen(() => alert.innerText()).toContain(
      'The actions of this month are used up. 10,000 of 10,000 are used on the plan free.',
    );
    await context.close();
  });

  it('asks before the page is left while something is on its way, and not after that', async () => {
    const { context, page } = await consoleOf.signedIn();
    await page.goto(`${base}/import`);
    // The question may come before the request: a gate that is opened early stays open.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/ingest', async (route) => {
      await released;
      await route.continue();
    });
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await choose(page, file('slow.txt', 'A text that is long on its way.'));
    await seen(() => words(page)).toContain('Keep this page open.');
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(['beforeunload']);
    release();
    await seen(() => words(page)).toContain('1 of 1 file is stored.');
    await page.goto(`${base}/memories`);
    expect(asked).toHaveLength(1);
    await context.close();
  });
});
