import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from '../http/person.js';
import { hostileTexts } from '../pages/hostile.js';
import { base, type Console, startConsole } from './console.js';
import { ada } from './filled.js';

/** Those that would do something in a browser, if one of them were markup. */
const texts = [
  ...hostileTexts.filter((text) => text.length < 64 && /steal\(\)|evil\.example/.test(text) && /[<"']/.test(text)),
]
  .filter((_, at) => at % 3 === 0)
  .slice(0, 24);

/** How many texts are made before the lists are opened: a page of receipts has 25 rows, and each text makes four. */
const listed = 5;

/** Counts what the texts try: to run a script, to load something of another site, to break the policy of the page. */
const watching = `
  globalThis.tried = [];
  globalThis.steal = () => tried.push('a script ran');
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    tried.push(violatedDirective + ' ' + blockedURI));
`;

describe('hostile texts in a browser', () => {
  let consoleOf: Console;
  beforeAll(async () => {
    consoleOf = await startConsole();
  });
  afterAll(() => consoleOf.stop());

  async function triedOn(page: Page, path: string): Promise<unknown> {
    await page.goto(`${base}${path}`);
    // What a page would load or run by itself has begun then.
    await page.waitForLoadState('load');
    await page.hover('main').catch(() => undefined);
    return page.evaluate('tried');
  }

  /** The pages that show all that was made, or the newest 25 of it. */
  async function tryLists(page: Page): Promise<void> {
    for (const path of ['/keys', '/memories', '/receipts'])
      expect([path, await triedOn(page, path)]).toEqual([path, []]);
  }

  // @covers PAGES-HOSTILE
  it('run nothing, load nothing and break no policy, typed and stored', { timeout: 600_000 }, async () => {
    expect(texts.length).toBeGreaterThanOrEqual(20);
    const person = await signedIn(consoleOf.service, ada);
    const { context, page } = await consoleOf.signedIn();
    await context.addInitScript(watching);
    const dialogs: string[] = [];
    const elsewhere: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(base) && !request.url().startsWith('data:')) elsewhere.push(request.url());
    });
    let made = 0;
    for (const text of texts) {
      const make = async (path: string, body: object) => (await person.call('POST', path, body)).json;
      const { memory_id } = await make('/v1/memories', { content: text, source: text, metadata: { [text]: text } });
      const { key_id } = await make('/v1/keys', { name: text, app_id: text });
      await make('/v1/namespaces', { name: text });
      await person.call('PATCH', '/v1/workspace', { name: text });
      const query = encodeURIComponent(text);
      for (const path of [
        `/m/${memory_id}`,
        `/m/${memory_id}/correct`,
        `/keys/${key_id}`,
        `/import?stage=${query}&kind=${query}&duplicate=${query}&retried=${query}`,
        `/memories?q=${query}&source=${query}`,
        `/receipts?kind=${query}`,
        `/sign-in?next=${query}`,
        `/no/${query}`,
        '/',
      ])
        expect([text, path, await triedOn(page, path)]).toEqual([text, path, []]);
      await page.goto(`${base}/memories/new`);
      await page.fill('#content', text);
      await page.fill('#source', text);
      await page.evaluate("document.querySelector('main input[name=token]').value = 'x'");
      await page.click('main form button');
      expect([text, await page.inputValue('#content'), await page.inputValue('#source')]).toEqual([text, text, text]);
      expect([text, await page.evaluate('tried')]).toEqual([text, []]);
      made += 1;
      if (made % listed === 0 || made === texts.length) await tryLists(page);
    }
    expect([dialogs, elsewhere]).toEqual([[], []]);
    await context.close();
  });

  it('are watched for by a check that finds them', async () => {
    const { context, page } = await consoleOf.signedIn();
    await context.addInitScript(watching);
    await page.goto(`${base}/memories`);
    await page.evaluate(`document.querySelector('main').innerHTML = '<img src=x onerror=steal()>'`);
    await expect.poll(() => page.evaluate<string[]>('tried')).toContainEqual(expect.stringContaining('script-src'));
    await context.close();
  });
});
