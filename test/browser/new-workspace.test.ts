import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReceiver, type Receiver } from '../http/receiver.js';
import { type Service, startService } from '../http/service.js';
import { send } from '../mcp/connected.js';
import { repeats } from '../support/repeats.js';
import { ada } from './filled.js';
import { openBrowser } from './window.js';

/** Notes that are imported: with scripts as many files, without them one file for each, which takes a person longer. */
const notes = { withScripts: repeats('NOTES'), without: 3 };

/** A person at a page, whose clicks and filled fields are counted. */
interface Hand {
  readonly page: Page;
  readonly clicks: () => number;
  readonly fields: () => number;
  /** Clicks on what is found first, and waits until the page that follows is there. */
  click(what: Locator): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
  follow(name: string | RegExp): Promise<void>;
  press(name: string | RegExp): Promise<void>;
}

function handAt(page: Page): Hand {
  let [clicks, fields] = [0, 0];
  const click = async (what: Locator) => {
    clicks += 1;
    await what.first().click();
    await page.waitForLoadState('load');
  };
  const named = (label: string) => page.locator('main').getByLabel(label, { exact: true }).first();
  return {
    page,
    clicks: () => clicks,
    fields: () => fields,
    click,
    async fill(label, text) {
      fields += 1;
      await named(label).fill(text);
    },
    async choose(label, option) {
      fields += 1;
      await named(label).selectOption({ label: option });
    },
    follow: (name) => click(page.locator('a:not(.skip)').and(page.getByRole('link', { name }))),
    press: (name) => click(page.locator('main').getByRole('button', { name })),
  };
}

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text, 'utf8') });
const noteOf = (at: number) => file(`note-${at}.txt`, `Note ${at}: the harbour master keeps berth ${at} free.`);

describe('a person who sets up a new workspace', () => {
  let browser: Browser;
  let receiver: Receiver;
  beforeAll(async () => {
    [browser, receiver] = await Promise.all([openBrowser(), openReceiver()]);
  });
  afterAll(async () => {
    await browser.close();
    await receiver.close();
  });

  /** From the first sign-in; each step begins where the one before has ended. */
  async function signIn({ page, fill, press }: Hand, service: Service): Promise<void> {
    await page.goto(`${service.app.server.listeningOrigin}/sign-in`);
    await fill('E-mail address', ada.email);
    await fill('Password', ada.password);
    await press('Sign in');
  }

  async function addPeople({ page, fill, click, follow, press }: Hand): Promise<void> {
    await follow('Workspace');
    await follow('People');
    for (const [email, role] of [
      ['grace@example.org', 'admin'],
      ['edsger@example.org', 'member'],
    ] as const) {
      await fill('E-mail address', email);
      await click(page.locator(`input[type=radio][value=${role}]`));
      await press('Add the person');
      await page.getByText('Copy it now').waitFor();
      await follow(/^Back to the /);
    }
    await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
  }

  async function linkAgents({ page, fill, follow, press }: Hand): Promise<string[]> {
    const keys: string[] = [];
    for (const name of ['Triage', 'Archivist']) {
      await follow('Access');
      await follow('Agents');
      await fill('Name', name);
      await press('Link the agent');
      await follow('Make a key');
      await fill('Name', 'its first key');
      await press('Make the key');
      await page.getByText('Copy it now').waitFor();
      keys.push(await page.locator('.secret code').innerText());
      await follow(/^Back to the /);
    }
    return keys;
  }

  async function importNotes(hand: Hand, hasScript: boolean): Promise<void> {
    const { page, follow, press } = hand;
    await follow('Memories');
    await follow('Import');
    const all = Array.from({ length: hasScript ? notes.withScripts : notes.without }, (_, at) => noteOf(at));
    for (const some of hasScript ? [all] : all.map((one) => [one])) {
      await page.setInputFiles('#file', some);
      await press(/^Import the file/);
    }
    if (hasScript)
      await page.getByText(`${all.length} of ${all.length} files are stored.`).waitFor({ timeout: 240_000 });
  }

  async function addWebhook({ page, fill, choose, follow, press }: Hand): Promise<void> {
    await follow('Access');
    await follow('Webhooks');
    await follow('Add a webhook');
    await choose('Agent', 'Triage');
    await fill('Address', `${receiver.origin}/in`);
    await fill('Words', 'berth');
    await press('Add the webhook');
    await page.getByText('Copy it now').waitFor();
    await follow('To the webhook');
  }

  async function writeMemory({ fill, follow, press }: Hand): Promise<void> {
    await follow('Memories');
    await follow('Add a memory');
    await fill('Text', 'The berth of the north pier is free again.');
    await press('Write the memory');
  }

  // @covers PAGES-WORKSPACE PAGES-IMPORT PAGES-WEBHOOKS PAGES-AGENTS
  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])(
    'needs no command line for three people, two agents, notes and a webhook that fires (%s)',
    {
      timeout: 420_000,
    },
    async (_, javaScriptEnabled) => {
      const owner = { OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password };
      const service = await startService({ ...owner, ALLOW_PRIVATE_URLS: '1' });
      const context = await browser.newContext({ javaScriptEnabled });
      const hand = handAt(await context.newPage());
      const began = performance.now();
      const steps: string[] = [];
      const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
        const [clicks, fields, from] = [hand.clicks(), hand.fields(), performance.now()];
        const done = await work();
        const seconds = ((performance.now() - from) / 1000).toFixed(1);
        steps.push(`${name}: ${hand.clicks() - clicks} clicks, ${hand.fields() - fields} fields, ${seconds} s`);
        return done;
      };
      await step('sign in', () => signIn(hand, service));
      await step('three people', () => addPeople(hand));
      const keys = await step('two agents with keys', () => linkAgents(hand));
      await step('import notes', () => importNotes(hand, javaScriptEnabled));
      const before = receiver.received.length;
      await step('a webhook', () => addWebhook(hand));
      await step('a memory that it reports', () => writeMemory(hand));
      await receiver.until(before + 1);
      if (process.env.CLICKS === 'print')
        console.info(
          [
            ...steps,
            `all: ${hand.clicks()} clicks, ${hand.fields()} fields`,
            `${((performance.now() - began) / 1000).toFixed(0)} s`,
          ].join('\n'),
        );

      // What was made is there, and works.
      await service.settled();
      const { json } = await service.call('GET', '/v1/memories?source=import:file&include=total&limit=1');
      expect(json.total.value).toBe(javaScriptEnabled ? notes.withScripts : notes.without);
      for (const key of keys) {
        const recall = { name: 'recall', arguments: { query: 'which berth is free' } };
        const { result } = await send(service, key, 'tools/call', recall);
        expect(JSON.stringify(result.content)).toContain('berth');
      }
      expect(receiver.received.at(-1)?.body).toContain('north pier');
      await context.close();
      await service.stop();
    },
  );
});
