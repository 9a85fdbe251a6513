import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Service, startService } from '../http/service.js';
import { createLog } from '../verifier/bundles.js';
import { openBrowser, openWindow, seen, statesOn, verdictOn, type Window } from './window.js';

let browser: Browser;
let promised: string;
let service: Service;
let window: Window;

const open = async () => {
  const opened = await openWindow(browser, `${service.app.server.listeningOrigin}/verify`);
  await seen(() => opened.page.locator('#keys-origin').innerText()).not.toBe('');
  return opened;
};

beforeAll(async () => {
  const log = await createLog('log.example/counterfoil', 'page');
  [browser, service] = await Promise.all([openBrowser(), startService()]);
  promised = JSON.stringify(await log.bundle({ anchor: 'promised' }));
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

describe('a link to the page /verify', () => {
  beforeEach(async () => {
    window = await open();
    return async () => {
      await window.page.context().close();
      expect(window.complaints).toEqual([]);
    };
  });

  // @covers VERIFY-LINK
  it('opens the bundle of a public receipt by a link, and nothing else', async () => {
    const { page, requests } = window;
    const proof = `/v1/registry/receipts/rcp_${'0'.repeat(32)}/proof`;
    await page.route(
      ({ pathname }) => pathname === proof,
      (route) => route.fulfill({ contentType: 'application/json', body: promised }),
    );
    const origin = service.app.server.listeningOrigin;
    await page.goto(`${origin}/verify?bundle=${proof}`);
    await seen(() => verdictOn(page)).toContain('Nothing failed');
    expect(await page.locator('.receipt').innerText()).toContain(proof);
    for (const other of [
      `https://elsewhere.example${proof}`,
      `//elsewhere.example${proof}`,
      `/v1/registry/receipts/../../receipts/rcp_${'0'.repeat(32)}/proof`,
      `/v1/registry/receipts/rcp_${'0'.repeat(32)}/proof?x=1`,
      `/v1/receipts/rcp_${'0'.repeat(32)}/proof`,
      `/v1/registry/receipts/rcp_${'0'.repeat(32)}%2f../proof`,
      'javascript:document.title=1',
      '',
    ]) {
      const before = requests.length;
      await page.goto(`${origin}/verify?bundle=${encodeURIComponent(other)}`);
      await seen(() => verdictOn(page)).toBe(
        'This bundle cannot be read: the link does not name a proof of a public receipt.',
      );
      expect(requests.slice(before).filter((one) => !/\/verify|\/v1\/ledger\/keys|^data:/.test(one))).toEqual([]);
    }
  });

  // @covers VERIFY-LINK
  it('opens the proof of an identity that this service has issued', async () => {
    const public_key = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
    const { json } = await service.call('POST', '/v1/agent-id', { public_key, vendor: 'Acme' });
    const { receipt_id } = json.record.provenance;
    const { page } = window;
    const proof = `/v1/registry/receipts/${receipt_id}/proof`;
    await page.goto(`${service.app.server.listeningOrigin}/verify?bundle=${proof}`);
    await seen(() => statesOn(page)).toMatchObject({ Entry: 'verified', Inclusion: 'verified' });
    for (const shown of [receipt_id, 'identity.issued', proof]) {
      expect(await page.locator('.receipt').innerText()).toContain(shown);
    }
  });

  // @covers VERIFY-LINK
  it.each<[number, string, string]>([
    [404, '{}', 'the service has no public receipt with this id'],
    [500, '{}', 'the service has answered with status 500'],
    [302, '', 'the service does not answer'],
    [200, ' '.repeat(3 * 1024 * 1024), 'it is larger than 2.5 MiB'],
  ])('says why a link with the answer %s leads to no bundle', async (status, body, why) => {
    // The browser itself reports answers that are errors, so this page is another one than that of the test.
    const { page } = await open();
    const headers = { location: '/verify' };
    const proof = `/v1/registry/receipts/rcp_${'0'.repeat(32)}/proof`;
    await page.route(
      ({ pathname }) => pathname === proof,
      (route) => route.fulfill({ status, body, headers }),
    );
    await page.goto(`${service.app.server.listeningOrigin}/verify?bundle=${proof}`);
    await seen(() => verdictOn(page)).toBe(`This bundle cannot be read: ${why}.`);
    await page.context().close();
  });
});
