import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Draft, drafts } from '../../fuzz/requests.js';
import { send } from '../../fuzz/send.js';
import { type Target, target } from '../../fuzz/target.js';
import { administration } from '../../http/keys.js';
import { type Service, startService } from '../../http/service.js';
import { checkReply } from '../../openapi/check.js';
import { operations } from '../../openapi/document.js';
import { remember } from '../../openapi/seen.js';
import { repeats } from '../../support/repeats.js';

/** How many requests are sent, this number of of them at once. */
const count = repeats('REQUESTS');
const atOnce = 16;
/** After this number of groups of requests the ids and credentials are looked up again. */
const renewed = 30;

/** Hashing a password takes as long as many requests, and who has lost a credential is refused everything from then on. */
const seldom = new Set([
  'signIn',
  'addMember',
  'signOut',
  'revokeKey',
  'removeMember',
  'changeMember',
  'setKeyNamespaces',
]);

let service: Service;
beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_URLS: '0' });
});
afterAll(() => service.stop());

it(`answers ${count} requests made of the description, right and wrong ones, as it says and never with 5xx`, async () => {
  const one = fc.oneof(
    ...operations.map((described) => ({
      weight: seldom.has(described.operation.operationId) ? 1 : 8,
      arbitrary: drafts(described),
    })),
  );
  const seen = new Map<number, number>();
  const admin = administration(service);
  let groups = 0;
  let now: Target | undefined;
  const began = Date.now();
  const ask = async (draft: Draft, at: Target): Promise<string[]> => {
    const { method, headers, body, who } = draft;
    const path = at.path(draft);
    const wire = await send(
      service.app.server.listeningOrigin,
      method,
      path,
      { ...at.credentials(who), ...headers },
      body,
    );
    const { operation, code, faults } = checkReply(wire);
    remember({ method, path: operation?.path ?? null, status: wire.status, code });
    seen.set(wire.status, (seen.get(wire.status) ?? 0) + 1);
    return wire.status >= 500 ? [`${method} ${path} → ${wire.status} ${wire.text}`, ...faults] : [...faults];
  };
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: atOnce, maxLength: atOnce }), async (group) => {
      if (now === undefined || groups % renewed === 0) now = await target(service, admin);
      groups += 1;
      const at = now;
      expect((await Promise.all(group.map((draft) => ask(draft, at)))).flat()).toEqual([]);
    }),
    // A smaller group finds another state of the store than the one that it was found in.
    {
      numRuns: Math.ceil(count / atOnce),
      endOnFailure: true,
      ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}),
    },
  );
  const seconds = Math.round((Date.now() - began) / 1000);
  const statuses = [...seen].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  console.log(`${groups * atOnce} requests in ${seconds} s, answered with ${statuses.join(', ')}`);
  await ended();
  const checked = await service.app.maintenance.get('fsck')?.([], () => undefined);
  console.log(checked?.text);
  expect(checked?.ok).toBe(true);
});

/** Waits for the jobs by looking at them: no credential may be left that could ask. */
async function ended(): Promise<void> {
  const left = "select 1 from jobs where stage not in ('done', 'failed') limit 1";
  while ((await service.app.database.read((tx) => tx.query(left))).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
