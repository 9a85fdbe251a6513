import { describe, expect, it } from 'vitest';
import { signedIn } from '../../http/person.js';
import { startService } from '../../http/service.js';
import { type Reader, reader, signedInReader } from '../../pages/reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };
const owned = { OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password };

/** The addresses that the page of all pages and actions leads to. */
async function foundBy(who: Reader): Promise<readonly string[]> {
  const { status, text } = await who.get('/find');
  expect(status).toBe(200);
  const sections = [...text.matchAll(/<section data-found="\w+">(.*?)<\/section>/gs)];
  return sections.flatMap(([, section = '']) => {
    const found = [...section.matchAll(/href="([^"]+)"/g)].map(([, to = '']) => to);
    expect(new Set(found).size).toBe(found.length);
    return found;
  });
}

describe('the page of all pages and actions', () => {
  it('has what the role may open and do, and every address and form of it is there', async () => {
    const service = await startService(owned);
    const person = await signedIn(service, ada);
    for (const role of ['owner', 'admin', 'member', 'reader']) {
      const { json } = await person.call('POST', '/v1/members', { email: `${role}@example.org`, role });
      const who = await signedInReader(service, { email: `${role}@example.org`, password: json.password });
      const found = await foundBy(who);
      for (const to of found) {
        const [path = '', part] = to.split('#');
        const { status, text } = await who.get(path);
        expect([role, to, status]).toEqual([role, to, 200]);
        if (part !== undefined) expect([role, to, text.includes(` id="${part}"`)]).toEqual([role, to, true]);
      }
      const may = (to: string) => found.includes(to);
      expect([role, may('/memories/new'), may('/keys#make'), may('/rules#pause'), may('/operations')]).toEqual([
        role,
        role !== 'reader',
        role === 'owner' || role === 'admin',
        role === 'owner',
        role === 'owner',
      ]);
    }
    expect(await foundBy(await signedInReader(service, ada))).toContain('/operations');
    await service.stop();
  });

  it('has nothing of memories where the memory API is switched off, and asks to sign in first', async () => {
    const service = await startService({ ...owned, MEMORY_API: 'off' });
    const found = await foundBy(await signedInReader(service, ada));
    expect(found.filter((to) => /memor|import|namespaces|connect|webhooks|approvals/.test(to))).toEqual([]);
    expect(found).toContain('/receipts');
    const outside = await reader(service).get('/find');
    expect([outside.status, outside.headers.get('location')]).toEqual([303, '/sign-in?next=%2Ffind']);
    await service.stop();
  });
});
