import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signedIn } from '../http/person.js';
import { type Service, startService } from '../http/service.js';
import { ada } from './filled.js';
import { openBrowser } from './window.js';

describe('a person who links an agent and adds a webhook', () => {
  let service: Service;
  let browser: Browser;
  let person: Person;
  beforeAll(async () => {
    service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password });
    [browser, person] = await Promise.all([openBrowser(), signedIn(service, ada)]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  async function opened(path: string, javaScriptEnabled: boolean): Promise<Page> {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${service.app.server.listeningOrigin}/sign-in?next=${encodeURIComponent(path)}`);
    await page.fill('#email', ada.email);
    await page.fill('#password', ada.password);
    await page.click('main button');
    await page.waitForURL(`**${path}`);
    return page;
  }

  // @covers PAGES-AGENTS
  it('makes the key pair in the browser, keeps the private key, and sends only what it has signed', async () => {
    const page = await opened('/agents', true);
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.getByRole('link', { name: 'Link with a proof' }).click();
    await page.getByLabel('Name').fill('Triage');
    await page.getByLabel('Vendor').fill('Acme');
    const make = page.getByRole('button', { name: 'Make a key pair in this browser' });
    await make.click();
    expect(await page.evaluate('document.activeElement.id')).toBe('handle');
    await page.getByLabel('Handle').fill('Triage');
    await make.click();
    await page.getByRole('alert').getByText('The handle must be @ and 2 to 32 characters').waitFor();
    await page.getByLabel('Handle').fill('@triage-bot');
    await make.click();
    const heading = page.getByRole('heading', { name: 'The private key of the agent' });
    await heading.waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('private-key');
    const pem = await page.locator('cf-copy pre code', { hasText: 'PRIVATE KEY' }).innerText();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download it' }).click();
    const file = await downloading;
    expect([file.suggestedFilename(), readFileSync(await file.path(), 'utf8').trim()]).toEqual([
      'agent.pem',
      pem.trim(),
    ]);
    await page.getByRole('button', { name: 'Link the agent' }).click();
    expect(new URL(page.url()).pathname).toBe('/agents/prove');
    await page.getByLabel('I have kept the private key').check();
    await page.getByRole('button', { name: 'Link the agent' }).click();
    await page.getByText('The agent is linked.').waitFor();
    const [agent] = (await person.call('GET', '/v1/agents')).json.data;
    expect(agent).toMatchObject({ name: 'Triage', handle: '@triage-bot', proved: true });
    const record = (await person.call('GET', `/v1/agent-id?id=${agent.agent_id}`)).json;
    expect(record).toMatchObject({ status: 'verified', vendor: 'Acme' });
    const secret = createPrivateKey(pem);
    expect(createPublicKey(secret).export({ format: 'jwk' }).x).toBeDefined();
    const { d = 'missing' } = secret.export({ format: 'jwk' });
    expect(sent.filter((one) => one.includes(d) || one.includes('PRIVATE'))).toEqual([]);
    await page.goBack();
    expect(await page.content()).not.toContain(d);
    // The answer to the handle that was refused has the status of an error.
    expect(complaints.filter((one) => !one.includes('status of 400'))).toEqual([]);
    await page.context().close();
  });

  // @covers PAGES-WEBHOOKS PAGES-LOOKS
  it('sends a delivery again on the narrowest phone, where the button is seen as a whole', async () => {
    const [{ agent_id }] = (await person.call('GET', '/v1/agents')).json.data;
    const body = { webhook_url: 'https://hooks.example.org/in', pattern: { contains: 'ferry' } };
    const { json } = await person.call('POST', '/v1/webhooks', body, { 'x-service-agent': agent_id });
    await person.call('POST', '/v1/memories', { content: 'The ferry is late.' });
    await service.settled();
    const path = `/webhooks/${agent_id}/${json.id}`;
    const page = await opened(path, true);
    await page.setViewportSize({ width: 320, height: 640 });
    const again = page.getByRole('button', { name: 'Send again' });
    const { x = 0, width = 0 } = (await again.boundingBox()) ?? {};
    const sheet = (await page.locator('.sheet-of-rows').boundingBox()) ?? { x: 0, width: 0 };
    expect([x >= sheet.x, width > 0, x + width <= sheet.x + sheet.width]).toEqual([true, true, true]);
    await again.click();
    await page.getByText('The delivery is sent again.').waitFor();
    await person.call('DELETE', `/v1/webhooks/${json.id}`, undefined, { 'x-service-agent': agent_id });
    await page.context().close();
  });

  // @covers PAGES-WEBHOOKS
  it.each([true, false])('adds a webhook and deletes it, with the keyboard (with scripts: %s)', async (hasScript) => {
    const page = await opened('/webhooks', hasScript);
    const press = async (name: string, kind: 'link' | 'button' = 'link') => {
      await page.locator('main').getByRole(kind, { name }).first().focus();
      await page.keyboard.press('Enter');
    };
    await press('Add a webhook');
    await page.getByLabel('Address').fill('https://hooks.example.org/in');
    await page.getByLabel('Words').fill('ferry');
    await press('Add the webhook', 'button');
    await page.getByText('Copy it now').waitFor();
    expect(await page.locator('.secret code').innerText()).toMatch(/^whsec_/);
    expect(await page.locator('script').count()).toBe(0);
    await press('To the webhook');
    await page.getByRole('heading', { name: 'hooks.example.org', exact: true }).waitFor();
    await press('Delete the webhook');
    await page.waitForURL('**/delete');
    await press('Delete the webhook', 'button');
    await page.getByText('The webhook was deleted.').waitFor();
    expect(await page.getByText('as receipt').count()).toBe(1);
    await page.context().close();
  });
});
