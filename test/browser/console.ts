import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type Service, startService } from '../http/service.js';
import { ada, fill } from './filled.js';
import { openBrowser } from './window.js';

export const base = 'http://counterfoil.example';

/** The console in a browser: a service with something on each page, and pages of a person who is signed in. */
export interface Console {
  readonly service: Service;
  readonly browser: Browser;
  /** The addresses of pages that the owner can open. */
  readonly paths: readonly string[];
  /** A context in which the owner is signed in. */
  signedIn(options?: BrowserContextOptions): Promise<{ readonly context: BrowserContext; readonly page: Page }>;
  stop(): Promise<void>;
}

/** The pages of the console that need no id. */
const plain = [
  '/',
  '/?step=write',
  '/?step=search',
  '/?step=connect',
  '/connect',
  '/connect?client=vs-code',
  '/sign-in',
  '/find',
  '/workspace',
  '/grants',
  '/agents',
  '/agents/prove',
  '/agents/prove?key=z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw&name=Archivist&handle=%40archivist',
  '/keys',
  '/webhooks',
  '/webhooks/new',
  '/approvals',
  '/rules',
  '/people',
  '/namespaces',
  '/settings',
  '/operations',
  '/account',
  '/memories',
  '/memories/new',
  '/memories/unused',
  '/playground',
  '/import',
  '/import?kind=text',
  '/import?kind=url',
  '/import?stage=failed',
  '/no-such-page',
];

export async function startConsole(settings: Record<string, string> = {}): Promise<Console> {
  const owner = { OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password };
  const service = await startService({ BASE_URL: base, ...owner, ...settings });
  const { host } = new URL(service.app.server.listeningOrigin);
  const browser = await openBrowser([`--host-resolver-rules=MAP counterfoil.example ${host}`]);
  const paths = [...plain, ...(await fill(service))];
  return {
    service,
    browser,
    paths,
    async signedIn(options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(`${base}/sign-in`);
      await page.fill('#email', ada.email);
      await page.fill('#password', ada.password);
      await page.click('main button');
      await page.waitForLoadState('load');
      return { context, page };
    },
    async stop() {
      await browser.close();
      await service.stop();
    },
  };
}
