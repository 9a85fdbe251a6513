import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleLimits } from '../../src/verifier/bundle.js';
import { formatVerifierKey } from '../../src/verifier/note.js';
import { type Service, startService } from '../http/service.js';
import { createLog, type TestLog } from '../verifier/bundles.js';
import { taskBundle } from '../verifier/task-bundles.js';
import { dropFile, openBrowser, openWindow, seen, statesOn, styleOf, verdictOn, type Window } from './window.js';

let browser: Browser;
let log: TestLog;
/** A bundle whose anchor is only a promise, so that one claim can never be checked. */
let promised: string;

beforeAll(async () => {
  [browser, log] = await Promise.all([openBrowser(), createLog('log.example/counterfoil', 'page')]);
  promised = JSON.stringify(await log.bundle({ anchor: 'promised' }));
});
afterAll(() => browser.close());

/** Everything that the page says of where its keys are from, once it has asked. */
const keysOriginOn = (page: Page) => page.locator('#keys-origin').innerText();
const fileOf = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

/** The same bundle with another text in it than its entry commits to. */
async function tampered(): Promise<string> {
  const bundle = await log.bundle({ anchor: 'none' });
  return JSON.stringify({ ...bundle, disclosed: { ...bundle.disclosed, content: 'Ada has no cats.' } });
}

describe('the page /verify', () => {
  let service: Service;
  let window: Window;
  const open = async (options = {}) => {
    const url = `${service.app.server.listeningOrigin}/verify`;
    const opened = await openWindow(browser, url, options);
    await seen(() => keysOriginOn(opened.page)).not.toBe('');
    return opened;
  };
  /** The page of a service whose log the bundles are of. */
  const withServiceKey = async () => {
    const page = await (await browser.newContext()).newPage();
    const answer = JSON.stringify({ data: [{ verifier_key: formatVerifierKey(log.keys[0]) }] });
    await page.route('**/v1/ledger/keys', (route) => route.fulfill({ contentType: 'application/json', body: answer }));
    await page.goto(`${service.app.server.listeningOrigin}/verify`);
    await seen(() => page.inputValue('#keys')).toBe(formatVerifierKey(log.keys[0]));
    return page;
  };
  const bringKey = (page: Page) => page.fill('#keys', formatVerifierKey(log.keys[0]));

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    window = await open();
    return async () => {
      await window.page.context().close();
      expect(window.complaints).toEqual([]);
    };
  });

  it('says of a dropped bundle what was checked and what was not', async () => {
    const { page } = window;
    await dropFile(page, '#zone', 'cats.json', promised);
    await seen(() => verdictOn(page)).toBe('Nothing failed; 2 of 7 claims were not checked.');
    await bringKey(page);
    await seen(() => verdictOn(page)).toBe('Nothing failed; 1 of 7 claims was not checked.');
    await seen(() => statesOn(page)).toEqual({
      Entry: 'verified',
      Content: 'verified',
      Inclusion: 'verified',
      Checkpoint: 'verified',
      Consistency: 'absent',
      OpenTimestamps: 'not checked',
      Ethereum: 'absent',
    });
    const { receipt_id } = JSON.parse(Buffer.from(JSON.parse(promised).entry, 'base64').toString());
    const receipt = await page.locator('.receipt').innerText();
    for (const shown of [receipt_id, 'memory.write', log.entries(0)[1]?.hash, 'cats.json', 'Ada has 2 cats — and a']) {
      expect(receipt).toContain(shown);
    }
    expect(await page.locator('.said').innerText()).toMatch(/^The entry says: the API key \S+ wrote a memory\.$/);
    await page.locator('.claims summary').first().click();
    expect(await page.locator('.claims table').first().isVisible()).toBe(true);
  });

  it('takes block headers and a receipt hash from the reader', async () => {
    const { page } = window;
    const bundle = await log.bundle({ anchor: 'this', headers: true });
    const headers = bundle.anchors[0]?.headers ?? {};
    await page.setInputFiles(
      '#bundle',
      fileOf('anchored.json', JSON.stringify({ ...bundle, anchors: withoutHeaders(bundle.anchors) })),
    );
    await seen(() => statesOn(page)).toMatchObject({ OpenTimestamps: 'not checked' });
    await page.setInputFiles('#headers', fileOf('headers.json', JSON.stringify(headers)));
    // They are looked at, and the blocks of the tests took less work than any of Bitcoin's.
    await seen(() => statesOn(page)).toMatchObject({ OpenTimestamps: 'failed' });
    await page.setInputFiles('#headers', fileOf('headers.json', '{"7": "00"}'));
    await seen(() => page.locator('#headers-fault').innerText()).toContain('block 7');

    await page.fill('#receipt-hash', log.entries(0)[1]?.hash ?? '');
    await seen(() => statesOn(page)).toMatchObject({ Entry: 'verified' });
    await page.fill('#receipt-hash', '0'.repeat(64));
    await seen(() => statesOn(page)).toMatchObject({ Entry: 'failed' });
    await page.fill('#receipt-hash', 'abc');
    expect(await page.locator('#receipt-hash').getAttribute('aria-invalid')).toBe('true');
  });

  it('says that a tampered bundle has failed, and what is no bundle cannot be read', async () => {
    const { page } = window;
    await bringKey(page);
    await dropFile(page, 'h1', 'tampered.json', await tampered());
    await seen(() => verdictOn(page)).toBe('1 of 7 claims failed.');
    expect(await page.locator('#findings').innerText()).not.toContain('Ada has no cats');
    await seen(() => statesOn(page)).toMatchObject({
      Content: 'failed',
      Inclusion: 'verified',
      Checkpoint: 'verified',
    });
    for (const text of ['', 'hello', '[]', '{"format": "counterfoil-proof/2"}', '\u0000\ufffd']) {
      await page.setInputFiles('#bundle', fileOf('other.json', text));
      await seen(() => verdictOn(page)).toMatch(/^This is no proof bundle: .+\.$/);
      expect(await page.locator('.claims').count()).toBe(0);
    }
    await page.setInputFiles('#bundle', fileOf('large.json', ' '.repeat(3 * 1024 * 1024)));
    await seen(() => verdictOn(page)).toBe('This file cannot be read: it is larger than 2.5 MiB.');
    expect(await page.locator('#bundle-hint').innerText()).toBe('A JSON file of at most 2.5\u00a0MiB');
    await page.setInputFiles('#bundle', fileOf('full.json', promised.padEnd(bundleLimits.bytes - 100)));
    await seen(() => verdictOn(page)).toContain('Nothing failed');
  });

  it('continues when the server is gone, and asks no one while it checks', async () => {
    const own = await startService();
    const { page, requests, complaints } = await openWindow(browser, `${own.app.server.listeningOrigin}/verify`);
    await seen(() => keysOriginOn(page)).not.toBe('');
    const before = requests.length;
    await dropFile(page, '#zone', 'cats.json', promised);
    await seen(() => verdictOn(page)).toContain('Nothing failed');
    await own.stop();
    await bringKey(page);
    await dropFile(page, '#zone', 'tampered.json', await tampered());
    await seen(() => verdictOn(page)).toBe('1 of 7 claims failed.');
    expect(requests.slice(before)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('can be used by keyboard alone', async () => {
    const page = await withServiceKey();
    const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.tagName');
    // The first link leads over the header to the text.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('bundle');
    expect(await styleOf(page, '#bundle + label', 'outlineStyle')).toBe('solid');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
    await chooser.setFiles(fileOf('cats.json', promised));
    await seen(() => verdictOn(page)).toContain('Nothing failed');

    await page.keyboard.press('Tab');
    expect(await focused()).toBe('SUMMARY');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('pasted');
    await page.keyboard.insertText(await tampered());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await seen(() => verdictOn(page)).toBe('1 of 7 claims failed.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('.claims details').first().getAttribute('open')).toBe('');
    await page.context().close();
  });

  it('does not call a bundle verified while the only key is the one that the service gave', async () => {
    const page = await withServiceKey();
    await dropFile(page, '#zone', 'cats.json', JSON.stringify(await log.bundle({ anchor: 'none' })));
    await seen(() => statesOn(page)).toMatchObject({ Checkpoint: 'verified' });
    expect(await page.locator('#verdict').innerText()).toContain('proves nothing against the service');
    const tone = () => page.locator('#result').getAttribute('data-tone');
    expect(await tone()).toBe('not checked');
    await page.getByLabel('I have these keys from another source too').check();
    await seen(tone).toBe('verified');
    await page.getByLabel('I have these keys from another source too').uncheck();
    await page.fill('#witnesses', formatVerifierKey(log.witness));
    await seen(() => page.locator('#witnesses-fault').innerText()).toContain(
      'It is not used: a list of witnesses without',
    );
    await page.fill('#quorum', '1');
    await seen(() => statesOn(page)).toMatchObject({ Witnesses: 'verified' });
    expect(await tone()).toBe('verified');
    await page.fill('#witnesses', '');
    await seen(tone).toBe('not checked');
    await page.fill('#keys', `${formatVerifierKey(log.keys[0])}\n${formatVerifierKey(log.witness)}`);
    expect(await page.locator('#verdict').innerText()).not.toContain('proves nothing');
    await page.context().close();
  });

  // @covers TASK-BUNDLE-FIELDS TASK-BUNDLE-ERASED
  it('shows the fields of a task receipt, before and after its private text was erased', async () => {
    const { page } = window;
    const privateText = '{"task_summary":"Sorted 12 tickets"}';
    await dropFile(page, '#zone', 'task.json', JSON.stringify(taskBundle({ privateText })));
    const receipt = () => page.locator('.receipt').innerText();
    await seen(receipt).toContain('Sorted 12 tickets');
    for (const shown of ['run-2026-000417', '@triage-bot', 'gateway', 'success', '0.0125 USD', 'mail.send: 1 call']) {
      expect(await receipt()).toContain(shown);
    }
    await dropFile(page, '#zone', 'erased.json', JSON.stringify(taskBundle({ privateText, shown: null })));
    await seen(receipt).toContain('not in this bundle');
    expect(await receipt()).toContain('run-2026-000417');
    expect(await receipt()).not.toContain('Sorted 12 tickets');
    await seen(() => statesOn(page)).toMatchObject({ Entry: 'verified', Content: 'absent' });
  });

  // @covers TASK-BUNDLE-HOSTILE
  it('shows texts of a task receipt as texts only, and fits a telephone', async () => {
    const { page } = await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    const hostile = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>\u202e\u0000${'w'.repeat(5000)}`;
    const task = {
      receipt_id: hostile,
      model: hostile,
      tool_calls: [{ tool: hostile, ok: true }],
      market: { [hostile]: 1 },
    };
    const title = await page.title();
    await dropFile(page, '#zone', 'x\u202etxt.json', JSON.stringify(taskBundle({ task, privateText: hostile })));
    await seen(() => page.locator('.receipt').innerText()).toContain('<img src=x onerror=');
    for (const obeyed of ['\u202e', '\u0000']) {
      expect(await page.locator('#result').innerText()).not.toContain(obeyed);
    }
    expect(await page.locator('#result img, #result script').count()).toBe(0);
    expect(await page.title()).toBe(title);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.context().close();
  });

  it('fits a telephone, in the dark too', async () => {
    const { page } = await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await dropFile(page, '#zone', 'cats.json', promised);
    for (const details of await page.locator('.claims summary').all()) await details.click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const brightness = await styleOf(page, 'body', 'backgroundColor');
    expect(Math.max(...(brightness.match(/\d+/g) ?? []).map(Number))).toBeLessThan(64);
    await page.context().close();
  });
});

const withoutHeaders = (anchors: TestAnchors): TestAnchors => anchors.map(({ headers: _, ...anchor }) => anchor);
type TestAnchors = Awaited<ReturnType<TestLog['bundle']>>['anchors'];
