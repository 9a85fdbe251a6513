import { createServer } from 'node:http';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../anchoring/http.js';
import { postForm, proofKey, register } from '../oauth/client.js';
import { base, type Console, startConsole } from './console.js';
import { ada, long } from './filled.js';
import { focusOrder } from './looks.js';
import { look, lookInEach } from './walk.js';

describe('the pages for people, without scripts', () => {
  let consoleOf: Console;
  let client: { readonly url: string; close(): Promise<unknown> };
  /** Addresses at which the client was called. */
  const arrived: string[] = [];
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
    consoleOf = await startConsole();
  });
  afterAll(async () => {
    await consoleOf.stop();
    await client.close();
  });

  const origin = () => consoleOf.service.app.server.listeningOrigin;
  const open = async (options: BrowserContextOptions = {}) =>
    (await consoleOf.browser.newContext({ javaScriptEnabled: false, ...options })).newPage();
  async function signIn(page: Page): Promise<void> {
    await page.fill('#email', ada.email);
    await page.fill('#password', ada.password);
    await page.click('main button');
  }
  async function asked(page: Page) {
    const redirect = `${client.url}/callback`;
    const metadata = {
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
      client_name: `<b>${long}</b>`,
      client_uri: 'https://desk.example',
    };
    const clientId: string = (await register(origin(), metadata)).json.client_id;
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
    return (code: string) => postForm(`${origin()}/oauth/token`, { ...exchange, code, code_verifier: verifier });
  }

  // @covers PAGES-LOOKS PAGES-CONSENT
  it('lead from the question of a client to its answer, at each width and in both themes', async () => {
    const page = await open();
    const complaints: string[] = [];
    page.on('console', (message) => {
      // A browser reports an answer with the status of an error.
      if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
    });
    const tokensFor = await asked(page);
    await lookInEach(page, 'sign-in');
    await page.fill('#email', ada.email);
    await page.fill('#password', 'wrong');
    await page.click('main button');
    await lookInEach(page, 'sign-in-wrong');
    await signIn(page);
    expect(new URL(page.url()).pathname).toBe('/consent');
    await lookInEach(page, 'consent', async (window) => {
      const allow = await page.locator('button[value=allow]').boundingBox();
      expect([window, (allow?.y ?? 0) + (allow?.height ?? 0) < 800]).toEqual([window, true]);
      const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const isDark = Math.max(...(background.match(/\d+/g) ?? []).map(Number)) < 64;
      expect([window, isDark]).toEqual([window, window[1] === 'dark']);
    });
    await page.click('button[value=allow]');
    await page.waitForURL('**/connected');
    const [, code = ''] = /[?&]code=([^&]+)/.exec(arrived.findLast((url) => url.startsWith('/callback')) ?? '') ?? [];
    expect((await tokensFor(code)).status).toBe(200);
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
    expect(
      (await consoleOf.service.call('GET', '/v1/namespaces', undefined, { authorization: `Bearer ${secret}` })).status,
    ).toBe(200);
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
