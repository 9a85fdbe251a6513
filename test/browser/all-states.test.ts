import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { completed } from '../../src/pages/components/messages.js';
import { addressOf } from '../../src/pages/frame/files.js';
import { plainPage } from '../../src/pages/frame/plain.js';
import { formWhileStarting, startingPage } from '../../src/pages/frame/starting.js';
import { html } from '../../src/pages/html.js';
import { part } from '../../src/pages/overview/part.js';
import { refusedPage } from '../../src/pages/refused.js';
import { administration } from '../http/keys.js';
import { type Service, startService } from '../http/service.js';
import { base, type Console, startConsole } from './console.js';
import { ada } from './filled.js';
import { brokenRules } from './rules.js';
import { look as lookNow, nameOf, resize, type Window } from './walk.js';

/** The page of each state is made once, and seen in both. */
const windows: readonly [Window, Window] = [
  [1280, 'light'],
  [375, 'dark'],
];
const text = 'The harbour master has moved to the north pier.';
const requestId = '0192f0c4-8000-7000-8000-00000000000a';
const around = { back: '/memories', isLook: true, searches: true, signOut: null };

/** Pages that a whole service shows only when something around it fails, made by the same code. */
const made: Readonly<Record<string, () => Promise<string> | string>> = {
  '500': () => shown(new Refusal('internal_error')),
  '503': () => shown(new Refusal('not_ready')),
  '429': () => shown(new Refusal('rate_limited', undefined, { retry_after_seconds: 12 })),
  'no-workspace': () => shown(new Refusal('no_workspace'), { ...around, signOut: 'token' }),
  starting: () => startingPage('/memories?q=ferry'),
  'starting-form': () =>
    formWhileStarting(
      '/memories/new',
      Buffer.from(new URLSearchParams({ token: 't', content: text }).toString(), 'utf8'),
    ) ?? '',
  'part-fails': async () => {
    const failed = await part('Plan', async () => {
      throw new Refusal('meter_unavailable');
    });
    const stays = html`<section><h2>Waiting</h2><p class="hint">Nothing waits for you.</p></section>`;
    return plainPage(
      'Overview',
      completed(html`<div class="title"><h1>Overview</h1></div>${failed}${stays}`, requestId, 0),
    );
  },
};

function shown(refusal: Refusal, how: Parameters<typeof refusedPage>[1] = around): string {
  const { title, main } = refusedPage(refusal, how);
  return plainPage(title, completed(main, requestId, Date.UTC(2026, 10, 27)));
}

describe('the states of pages, without scripts', () => {
  let consoleOf: Console;
  let empty: Service;
  let style: string;
  let copy: Page;
  let copied: string;
  beforeAll(async () => {
    [consoleOf, empty] = await Promise.all([
      startConsole(),
      startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password }),
    ]);
    const origin = consoleOf.service.app.server.listeningOrigin;
    style = await (await fetch(`${origin}${addressOf('pages.css')}`)).text();
    const [, [width, colorScheme]] = windows;
    copy = await (await consoleOf.browser.newContext({ viewport: { width, height: 800 }, colorScheme })).newPage();
    await copy.route('**/*.css', (route) => route.fulfill({ contentType: 'text/css; charset=utf-8', body: style }));
    await copy.route('**/copy', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: copied }));
  });
  afterAll(async () => {
    await consoleOf.stop();
    await empty.stop();
  });

  /**
   * axe-core waits by timers, and a page without scripts has none, so it is given a copy of the page in a browser that has them, in the
   * window in which the page was seen last.
   */
  async function brokenInCopy(page: Page): Promise<string[]> {
    copied = (await page.content()).replaceAll(/<script\b[^>]*><\/script>|<meta http-equiv="refresh"[^>]*>/g, '');
    await copy.goto(`${base}/copy`);
    return brokenRules(copy);
  }

  async function look(page: Page, name: string): Promise<void> {
    for (const window of windows) {
      await resize(page, window);
      await lookNow(page, `each-${name}-${window[0]}`);
    }
    // Once is enough: the page of both widths is the same.
    expect([name, await brokenInCopy(page)]).toEqual([name, []]);
  }

  const signIn = async (page: Page, at: string, who: { email: string; password: string }) => {
    await page.goto(`${at}/sign-in`);
    await page.fill('#email', who.email);
    await page.fill('#password', who.password);
    await page.click('main button');
    await page.waitForLoadState('load');
  };
  /** A page of someone else, in a browser of their own. */
  const as = async (options: BrowserContextOptions, who: { email: string; password: string }, at = base) => {
    const context = await consoleOf.browser.newContext(options);
    const page = await context.newPage();
    await signIn(page, at, who);
    return page;
  };
  /** Opens paths, and looks at each. */
  const walk = async (page: Page, name: string, paths: readonly string[], at = base) => {
    for (const path of paths) {
      await page.goto(`${at}${path}`);
      await look(page, `${name}${nameOf(path)}`);
    }
  };

  // @covers PAGES-LOOKS PAGES-STATES
  it('fit a phone by night and a desk by day', { timeout: 300_000 }, async () => {
    const options = { javaScriptEnabled: false };
    const context = await consoleOf.browser.newContext(options);
    const page = await context.newPage();
    // A browser allows a page that no server has sent nothing from this machine, so its style comes the same way.
    await page.route('**/*.css', (route) => route.fulfill({ contentType: 'text/css; charset=utf-8', body: style }));
    for (const [name, make] of Object.entries(made)) {
      const body = await make();
      await page.route('**/made', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
      await page.goto(`${base}/made`);
      await look(page, name);
      await page.unroute('**/made');
    }
    await context.close();

    const owner = await as(options, ada);
    const gone = consoleOf.paths.filter((path) => /^\/m\/[0-9a-f-]+$/.test(path)).at(-1) ?? '';
    const nothing = [
      '/memories?q=nothing-that-is-there',
      '/receipts?kind=task&since=2999-01-01T00:00&until=2999-02-01T00:00',
    ];
    await walk(owner, 'owner', [
      '/receipts/rcp_00000000000000000000000000000000',
      gone,
      ...nothing,
      '/receipts?since=yesterday',
    ]);
    await walk(owner, 'list', ['/receipts', '/memories', '/approvals']);
    await owner.locator('main a[href*="from="]').first().click();
    await look(owner, 'approval-of-a-list');
    await owner.goto(`${base}/memories`);
    await owner.locator('main a.whole').first().click();
    await look(owner, 'memory-of-a-list');

    const admin = administration(consoleOf.service);
    const { workspaceId } = await admin.first();
    const paths = [
      '/',
      '/memories',
      '/memories/new',
      '/import',
      '/receipts',
      '/approvals',
      '/keys',
      '/agents',
      '/webhooks',
      '/rules',
    ];
    await walk(await as(options, await admin.member(workspaceId, 'reader')), 'reader', paths);
    await walk(await as(options, await admin.member(workspaceId, 'none')), 'none', ['/memories', '/']);

    await owner.goto(`${base}/memories/new`);
    await owner.fill('#content', text);
    await admin.provision(workspaceId, 'free');
    await admin.act(workspaceId, 10_000);
    await owner.click('main form button');
    await look(owner, '402');
    await walk(owner, 'full', ['/']);
    await admin.provision(workspaceId, 'enterprise');

    const at = empty.app.server.listeningOrigin;
    const alone = await as(options, ada, at);
    await walk(
      alone,
      'empty',
      [
        '/',
        '/?step=left',
        '/memories',
        '/import',
        '/receipts',
        '/approvals',
        '/agents',
        '/webhooks',
        '/webhooks/new',
        '/keys',
        '/grants',
        '/rules',
      ],
      at,
    );
    for (const one of [owner, alone]) await one.context().close();
  });
});
