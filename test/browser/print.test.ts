import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfText } from '../../src/adapters/extract/pdf-text.js';
import { base, type Console, startConsole } from './console.js';

const trace = 'a'.repeat(32);
const task = {
  schema: 'task_receipt.v1',
  platform: 'custom',
  agent_handle: '@bot',
  task_type: 'review',
  status: 'success',
  started_at: '2026-11-01T10:00:00Z',
  ended_at: '2026-11-01T10:00:04Z',
  trace_id: trace,
};

describe('a printed receipt', () => {
  let consoleOf: Console;
  /** The receipt of a task with another below it. */
  let receipt: { readonly id: string; readonly hash: string; readonly prev_hash: string };
  let root: unknown;
  beforeAll(async () => {
    consoleOf = await startConsole();
    const { service } = consoleOf;
    const submit = async (more: object) =>
      (await service.call('POST', '/v1/receipts', { ...task, ...more })).json.data[0].id;
    const id = await submit({ receipt_id: 'above', span_id: '1'.repeat(16) });
    await submit({
      receipt_id: 'below',
      span_id: '2'.repeat(16),
      parent_span_id: '1'.repeat(16),
      agent_handle: '@below',
    });
    await service.settled();
    receipt = (await service.call('GET', `/v1/receipts/${id}`)).json;
    const bundle = (await service.call('GET', `/v1/receipts/${id}/proof`)).json;
    const { claims } = (await service.call('POST', '/v1/receipts/verify', bundle)).json;
    root = claims.find(({ name }: { name: string }) => name === 'checkpoint').details.root;
  });
  afterAll(() => consoleOf.stop());

  /** The text of a page as it is on paper. Letters that stand on two lines are brought together. */
  const printed = async (page: Page) => {
    const { text } = await pdfText(await page.pdf({ format: 'A4' }), 1_000_000);
    return text.replace(/\s+/g, '');
  };
  /** The facts that an auditor needs, without a space. */
  const needed = () => [
    receipt.id,
    receipt.hash,
    receipt.prev_hash,
    String(root),
    `${base}/receipts/${receipt.id}`,
    `${base}/verify`,
    'Claimsofthebundle',
    // It is below the receipt in the tree, which the person has folded.
    '@below',
  ];

  it('has its id, hashes, checkpoint, the way to check it, folded parts and the time, and no ways to other pages', async () => {
    const { context, page } = await consoleOf.signedIn({ viewport: { width: 1280, height: 900 }, colorScheme: 'dark' });
    await page.goto(`${base}/receipts/${receipt.id}`);
    await page.locator('.tree summary').first().click();
    await expect.poll(() => page.locator('.tree details').first().getAttribute('open')).toBe(null);
    expect(await page.locator('.on-paper').first().isVisible()).toBe(false);
    const text = await printed(page);
    for (const one of needed()) expect([one, text.includes(one)]).toEqual([one, true]);
    expect(text).toMatch(/Checked\d{4}-\d\d-\d\d\d\d:\d\d:\d\dUTC,bythisservice/);
    expect(text).toMatch(/Printed\d{4}-\d\d-\d\d\d\d:\d\d:\d\dUTC/);
    expect(text).not.toMatch(/justnow|secondsago|minutesago|…/);
    for (const one of ['Downloadthebundle', 'Verifyinthisbrowser', 'Documentation', 'Overview', 'allreceipts', 'Copy'])
      expect([one, text.includes(one)]).toEqual([one, false]);
    await page.emulateMedia({ media: 'print' });
    const colours = await page.evaluate<string>(
      'getComputedStyle(document.body).color + getComputedStyle(document.body).backgroundColor',
    );
    expect(colours).toBe('rgb(0, 0, 0)rgb(255, 255, 255)');
    await context.close();
  });

  it('is the same without a script, but for the time at which it was printed', async () => {
    const { context, page } = await consoleOf.signedIn({ javaScriptEnabled: false });
    await page.goto(`${base}/receipts/${receipt.id}`);
    const text = await printed(page);
    for (const one of needed()) expect([one, text.includes(one)]).toEqual([one, true]);
    expect(await page.getByText('Print', { exact: true }).count()).toBe(0);
    await context.close();
  });

  it('opens the print dialog with the button', async () => {
    const { context, page } = await consoleOf.signedIn();
    await page.addInitScript('window.print = () => { window.printed = (window.printed ?? 0) + 1; }');
    await page.goto(`${base}/receipts/${receipt.id}`);
    await page.getByRole('button', { name: 'Print' }).click();
    expect(await page.evaluate('window.printed')).toBe(1);
    await context.close();
  });

  it('has no header on paper, as no other page of the console has', async () => {
    const { context, page } = await consoleOf.signedIn();
    await page.goto(`${base}/people`);
    const text = await printed(page);
    expect(text).toContain('People');
    expect(text).not.toContain('Signout');
    await context.close();
  });
});
