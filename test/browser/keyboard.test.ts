import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base, type Console, startConsole } from './console.js';
import { ada } from './filled.js';
import { focusOf, type Keyboard, keyboardOf } from './keyboard.js';

/** How long a change is waited for: a busy machine needs seconds where an idle one needs none. */
const patience = { timeout: 300_000 };

/** A person with a keyboard and no mouse, from the sign-in to the result of each task. The tests are one walk, in this order. */
describe('the console by the keyboard alone', { timeout: 300_000 }, () => {
  let consoleOf: Console;
  let page: Page;
  let keys: Keyboard;
  beforeAll(async () => {
    consoleOf = await startConsole();
    const context = await consoleOf.browser.newContext({ viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    keys = keyboardOf(page);
  });
  afterAll(() => consoleOf.stop());

  /** Follows a link or sends a form, and waits for the page that comes. */
  const follow = async (name: string | RegExp, to: string | RegExp, key?: 'Tab' | 'Shift+Tab') => {
    await Promise.all([page.waitForURL(to, patience), keys.follow(name, key)]);
    await page.waitForLoadState('load');
  };
  const go = async (letter: string, to: string) => {
    await Promise.all([page.waitForURL(`**${to}`, patience), keys.press('g', letter)]);
    await page.waitForLoadState('load');
  };
  const write = async (content: string) => {
    await go('m', '/memories');
    await follow('Add a memory', '**/memories/new');
    await keys.reach('Text');
    await keys.type(content);
    await follow('Write the memory', '**/m/**');
    return keys.hears('status');
  };

  // @covers PAGES-LOOKS
  it('signs in, and hears at once that a password is wrong', async () => {
    await page.goto(`${base}/sign-in`);
    await keys.reach('E-mail address');
    await keys.type(ada.email);
    await keys.reach('Password');
    await keys.type('wrong');
    await keys.press('Enter');
    expect(await keys.hears('alert')).toContain('password');
    await keys.reach('Password');
    await keys.type(ada.password);
    await Promise.all([page.waitForEvent('load'), keys.press('Enter')]);
    await page.goto(`${base}/`);
    await follow('To the text', '**/#main');
    await keys.press('Tab');
    const isInText = await page.evaluate<boolean>("document.activeElement.closest('main') !== null");
    expect(isInText).toBe(true);
  });

  it('writes a memory, finds it, opens its proof and checks it in the browser', async () => {
    expect(await write('The lighthouse keeper counts seals at dawn.')).toContain('Recorded');
    await go('m', '/memories');
    await keys.press('/');
    await keys.type('who counts seals');
    await Promise.all([page.waitForURL('**/memories?s=*', patience), keys.press('Enter')]);
    expect(await keys.hears('h2')).toContain('Found');
    await follow('Open the memory', '**/m/**');
    await follow(/^rcp_/, '**/receipts/rcp_*');
    await keys.follow('Verify in this browser');
    await page.locator('cf-verify [data-tone]').waitFor(patience);
    expect(await keys.hears('status')).toContain('Verified in this browser');
  });

  it('corrects, invalidates, reinstates and deletes a memory', async () => {
    await write('The ferry leaves at seven.');
    await follow('Correct', '**/correct*');
    await keys.reach('Corrected text');
    await keys.press('ControlOrMeta+a');
    await keys.type('The ferry leaves at eight.');
    await follow('Write the corrected text', '**/m/*corrected*');
    await keys.hears('status');
    await follow('Invalidate', '**/invalidate*');
    await keys.reach('Why');
    await keys.type('It does not sail in winter.');
    await follow('Mark it as no longer valid', '**/m/*invalidated*');
    await keys.hears('status');
    await follow('Make valid again', '**/reinstate*', 'Shift+Tab');
    await follow('Make it valid again', '**/m/*reinstated*');
    await keys.hears('status');
    await follow('Delete', '**/delete*');
    await follow('Delete the memory', '**/m/*deleted*');
    await keys.hears('status');
    expect(await page.locator('h1').innerText()).toContain('Deleted memory');
  });

  it('deletes two selected memories, from the request to the last of them', async () => {
    await go('m', '/memories');
    await keys.press('j', 'x', 'j', 'x');
    expect(await page.locator('tbody input:checked').count()).toBe(2);
    await follow('Delete the selected…', '**/approvals/*', 'Shift+Tab');
    expect(await keys.hears('status')).toContain('The delete is requested');
    await follow('Approve', '**/approvals/*decided*');
    await keys.hears('status');
    await follow(/^Carry out/, '**/approvals/*carried*');
    await keys.hears('status');
    expect(await page.locator('main').innerText()).toContain('2 of 2 memories are deleted.');
  });

  it('pauses all agents and resumes them', async () => {
    await follow('Workspace', '**/rules', 'Shift+Tab');
    await follow('Pause all agents', '**/rules?receipt=*');
    expect(await keys.hears('status')).toContain('Recorded');
    const [paused] = [page.url()];
    await Promise.all([page.waitForURL((url) => url.href !== paused, patience), keys.follow('Resume all agents')]);
    await keys.hears('status');
    expect(await page.locator('main').innerText()).toContain('Running');
  });

  it('connects an agent and copies its key', async () => {
    await go('c', '/connect');
    await keys.reach('Name of the agent');
    await keys.type('A desk without a mouse');
    await Promise.all([page.waitForEvent('load'), keys.press('Enter')]);
    expect(await keys.hears('status')).toContain('made a key for an agent');
    await follow('Wait for the first call', '**/connect?client=*');
  });

  it('filters the receipts, opens one beside the list, and comes back to its row', async () => {
    await go('r', '/receipts');
    await keys.reach('Kind');
    await keys.type('Memories w');
    await page.waitForURL('**kind=memory.write*', patience);
    expect((await focusOf(page)).name).toBe('Kind');
    // Single keys do nothing in a field, so the walk leaves it first.
    await keys.reach('Filter');
    await keys.press('j', 'j', 'Enter');
    await page.locator('.peek').waitFor(patience);
    const row = await focusOf(page);
    expect(row.role).toBe('a');
    await keys.press('Enter');
    await expect.poll(() => page.evaluate("document.activeElement.matches('.peek')"), patience).toBe(true);
    expect(await focusOf(page)).toMatchObject({ isShown: true, isInView: true });
    const before = page.url();
    await keys.follow('Next');
    await expect.poll(() => page.url(), patience).not.toBe(before);
    await expect.poll(async () => (await focusOf(page)).name, patience).toBe('Next');
    // What a script has added is still there after the page has changed.
    await keys.reach('Verify in this browser');
    await keys.press('Escape');
    await page.locator('.peek').waitFor({ state: 'detached', ...patience });
    await expect.poll(async () => (await focusOf(page)).role, patience).toBe('a');
    expect(page.url()).toContain('kind=memory.write');
  });

  it('walks from the page of a row to the next one, and back to the list as it was', async () => {
    for (const content of ['The ferry has two decks.', 'The ferry has a bell.'])
      await consoleOf.service.call('POST', '/v1/memories', { content });
    await consoleOf.service.settled();
    await page.goto(`${base}/memories?q=ferry`);
    await keys.press('j');
    await Promise.all([page.waitForURL('**/m/**', patience), keys.press('Enter')]);
    await page.waitForLoadState('load');
    const [first] = [page.url()];
    await keys.follow('Next');
    await expect.poll(() => page.url(), patience).not.toBe(first);
    await keys.reach('Back to the list', 'Shift+Tab');
    await Promise.all([page.waitForURL('**/memories?q=ferry', patience), keys.press('Enter')]);
  });
});
