import { expect, it, onTestFinished } from 'vitest';
import { onEthereum } from '../ethereum/bundles.js';
import { startService } from '../http/service.js';
import { createLog } from '../verifier/bundles.js';
import { seededRandom } from '../verifier/mutations.js';
import { openBrowser, openWindow } from './window.js';

it('the page /verify takes blocks and a contract of Ethereum from the reader', async () => {
  const [service, browser] = await Promise.all([startService(), openBrowser()]);
  onTestFinished(async () => {
    await Promise.all([service.stop(), browser.close()]);
  });
  const log = await createLog('log.example/counterfoil', 'page');
  const { bundle, hash } = await onEthereum(await log.bundle({ anchor: 'this' }), seededRandom(1));
  const { page, complaints } = await openWindow(browser, `${service.app.server.listeningOrigin}/verify`);
  const seen = (selector: string) => expect.poll(() => page.locator(selector).innerText());
  const state = '.claims > li:last-child .state';

  const file = { name: 'bundle.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(bundle)) };
  await page.setInputFiles('#bundle', file);
  await seen(state).toBe('not checked');
  await page.fill('#blocks', `# looked up\n0x${hash}`);
  await seen(state).toBe('verified');
  await page.fill('#contract', `0x${'11'.repeat(20)}`);
  await seen(state).toBe('failed');
  await page.fill('#contract', '0x11');
  await seen('#contract-fault').toContain('40 hex digits');
  await page.fill('#blocks', '12');
  await seen('#blocks-fault').toContain('line 1');
  await seen(state).toBe('not checked');
  expect(complaints).toEqual([]);
});
