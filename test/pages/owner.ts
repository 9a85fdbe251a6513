import { type Person, signedIn } from '../http/person.js';
import { type Service, startService } from '../http/service.js';
import { type Reader, signedInReader } from './reader.js';

/** The owner of the services that tests of pages start. */
export const ada = { email: 'ada@example.org', password: 'a password of the owner' };

/** A service whose owner is signed in, over the API and in a browser without scripts. */
export async function startOwned(
  settings: Record<string, string> = {},
): Promise<{ readonly service: Service; readonly person: Person; readonly owner: Reader }> {
  const service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password, ...settings });
  return { service, person: await signedIn(service, ada), owner: await signedInReader(service, ada) };
}

/** A member of the workspace of the owner, signed in, in a browser without scripts. */
export async function joined(service: Service, by: Person, email: string, role: string): Promise<Reader> {
  const { json } = await by.call('POST', '/v1/members', { email, role });
  return signedInReader(service, { email, password: json.password });
}
