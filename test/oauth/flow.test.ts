import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedDatabase } from '../../src/adapters/database/database.js';
import { openDatabase } from '../../src/adapters/database/open.js';
import { preparedStoreAddress, type StoreAddress } from '../new-store.js';
import { authorizedClient, postForm } from './client.js';
import { type Installation, startInstallation } from './installation.js';

describe('the authorization server', () => {
  let address: StoreAddress;
  let database: OpenedDatabase;
  let here: Installation;
  beforeAll(async () => {
    address = await preparedStoreAddress();
    database = await openDatabase(address.store);
    here = await startInstallation({ database });
  });
  afterAll(async () => {
    await here.close();
    await database.close();
    await address.remove();
  });

  it('gives tokens to a client that a person has allowed, and ends its grant when it revokes one', async () => {
    const { clientId, tokens } = await authorizedClient(here.origin);
    expect(tokens.status).toBe(200);
    expect(await here.server.verifyAccessToken(tokens.json.access_token)).toMatchObject({
      clientId,
      scopes: ['mcp:tools', 'memory.read', 'memory.write'],
    });
    const refreshed = await postForm(`${here.origin}/oauth/token`, {
      grant_type: 'refresh_token',
      refresh_token: tokens.json.refresh_token,
      client_id: clientId,
    });
    expect(refreshed.status).toBe(200);
    const token = refreshed.json.access_token;
    const revoked = await postForm(`${here.origin}/oauth/revoke`, { token, client_id: clientId });
    expect([revoked.status, here.grants.ended.map(([, reason]) => reason)]).toEqual([200, ['client']]);
  });
});
