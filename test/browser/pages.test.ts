import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../anchoring/http.js';
import { type Service, startService } from '../http/service.js';
import { postForm, proofKey, register } from '../oauth/client.js';
import { ada, fill, long } from './filled.js';
import { faintTexts, focusOrder, overflow, unlabelled } from './looks.js';
import { openBrowser } from './window.js';

const base = 'http://counterfoil.example';
/** The folder for screenshots that a person wants to look at. */
const shots = process.env.SCREENSHOTS;

describe('the pages for people, without scripts', () => {
  let browser: Browser;
  let service: Service;
  let client: { readonly url: string; close(): Promise<unknown> };
  /** Addresses at which the client was called. */
  const arrived: string[] = [];
  const paths = [
    '/sign-in',
    '/workspace',
    '/grants',
    '/keys',
    '/approvals',
    '/rules',
    '/memories',
    '/memories/new',
    '/no-such-page',
  ];
  beforeAll(async () => {
    client = await listen(
      createServer(({ url = '', headers }, response) => {
        arrived.push(url);
        // A client may send the browser to another of its sites, where the rules for forms must not hold any more.
        const elsewhere = `http://localhost:${headers.host?.split(':')[1]}/connected`;
        if (url.startsWith('/callback')) response.writeHead(302, { location: elsewhere });
        response.end('connected');
      }),
    );
    service = await startService({ BASE_URL: base, OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password });
    const { host } = new URL(service.app.server.listeningOrigin);
    browser = await openBrowser([`--host-resolver-rules=MAP counterfoil.example ${host}`]);
    paths.push(...(await fill(service)));
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await client.close();
  });

  const open = async (options: BrowserContextOptions = {}) =>
    (await browser.newContext({ javaScriptEnabled: false, ...options })).newPage();
  async function signIn(page: Page): Promise<void> {
    await page.fill('#email', ada.email);
    await page.fill('#password', ada.password);
    await page.click('main button');
  }
  /** Compares what the page looks like with the rules for all pages. */
  async function look(page: Page, name: string): Promise<void> {
    // The text of a page is there before its style.
    await page.waitForLoadState('load');
    if (shots !== undefined) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
    }
    expect([name, await overflow(page)]).toEqual([name, 0]);
    expect([name, await unlabelled(page)]).toEqual([name, []]);
    expect([name, await faintTexts(page)]).toEqual([name, []]);
    expect([name, await page.locator('h1').count(), await page.locator('main').count()]).toEqual([name, 1, 1]);
  }
  async function asked(page: Page) {
    const redirect = `${client.url}/callback`;
    const metadata = {
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
      client_name: `<b>${long}</b>`,
      client_uri: 'https://desk.example',
    };
    const clientId: string = (await register(service.app.server.listeningOrigin, metadata)).json.client_id;
    const { verifier, challenge } = proofKey();
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirect,
      response_type: 'code',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    await page.goto(`${base}/oauth/authorize?${query}`);
    const exchange = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: redirect };
    return (code: string) =>
      postForm(`${service.app.server.listeningOrigin}/oauth/token`, { ...exchange, code, code_verifier: verifier });
  }

  // @covers PAGES-LOOKS PAGES-CONSENT
  it.each([
    [375, 'light'],
    [375, 'dark'],
    [768, 'light'],
    [768, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('lead from the question of a client to its answer, at %i pixels and %s', async (width, colorScheme) => {
    const page = await open({ viewport: { width, height: 800 }, colorScheme });
    const name = (what: string) => `${what}-${width}-${colorScheme}`;
    const complaints: string[] = [];
    page.on('console', (message) => {
      // A browser reports an answer with the status of an error.
      if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
    });
    const tokensFor = await asked(page);
    await look(page, name('sign-in'));
    await page.fill('#email', ada.email);
    await page.fill('#password', 'wrong');
    await page.click('main button');
    await look(page, name('sign-in-wrong'));
    await signIn(page);
    expect(new URL(page.url()).pathname).toBe('/consent');
    await look(page, name('consent'));
    const allow = await page.locator('button[value=allow]').boundingBox();
    expect((allow?.y ?? 0) + (allow?.height ?? 0)).toBeLessThan(800);
    const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(Math.max(...(background.match(/\d+/g) ?? []).map(Number)) < 64).toBe(colorScheme === 'dark');
    await page.click('button[value=allow]');
    await page.waitForURL('**/connected');
    const [, code = ''] = /[?&]code=([^&]+)/.exec(arrived.findLast((url) => url.startsWith('/callback')) ?? '') ?? [];
    expect((await tokensFor(code)).status).toBe(200);
    for (const path of paths) {
      await page.goto(`${base}${path}`);
      await look(page, name(path.replaceAll('/', '_').replaceAll(/[0-9a-f-]{36}/g, 'id')));
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  // @covers PAGES-LOOKS
  it('are reached by the keyboard in the order in which they are read, and show where it is', async () => {
    const page = await open({ viewport: { width: 375, height: 800 } });
    await asked(page);
    for (const next of [undefined, '/keys', '/approvals']) {
      if (next !== undefined) await page.goto(`${base}${next}`);
      const stops = await focusOrder(page);
      // A group of radio buttons is one stop.
      const all = await page
        .locator('a, button, summary, input:not([type=hidden]):not([type=radio]):not(:disabled), select')
        .filter({ visible: true })
        .count();
      const groups = await page.locator('input[type=radio]:checked').count();
      expect([page.url(), stops.length, stops.every(({ isShown }) => isShown)]).toEqual([
        page.url(),
        all + groups,
        true,
      ]);
      if (next === undefined) await signIn(page);
    }
    await page.context().close();
  });

  // @covers PAGES-CONSENT
  it('answer the client when the person denies, and offer the way back where a program has opened', async () => {
    const page = await open();
    await asked(page);
    await signIn(page);
    await page.click('button[value=deny]');
    await page.waitForURL('**/connected');
    expect(arrived.findLast((url) => url.startsWith('/callback'))).toContain('error=access_denied');
    await page.context().close();
  });

  // @covers PAGES-KEYS
  it('make a key by hand, which works, and is not shown again', async () => {
    const page = await open({ viewport: { width: 375, height: 800 } });
    await page.goto(`${base}/keys`);
    await signIn(page);
    await page.fill('#name', 'made by hand');
    await page.check('input[name=access][value=read]');
    await page.click('button[value=make]');
    const secret = await page.locator('.secret code').innerText();
    await look(page, 'made');
    expect((await service.call('GET', '/v1/namespaces', undefined, { authorization: `Bearer ${secret}` })).status).toBe(
      200,
    );
    await page.reload();
    expect(await page.content()).not.toContain(secret);
    await page.context().close();
  });

  // @covers PAGES-POLICY
  it('cannot be shown in a frame of another page', async () => {
    const page = await open({ javaScriptEnabled: true });
    await page.goto(`${client.url}`);
    await page.setContent(`<iframe src="${base}/sign-in"></iframe>`);
    await page.waitForTimeout(500);
    expect(page.frames().some((frame) => frame.url().startsWith(base))).toBe(false);
    await page.context().close();
  });
});
