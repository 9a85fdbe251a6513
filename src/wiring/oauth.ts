import type { Logger } from 'pino';
import type { AuthorizationServer } from '../../contracts/authorization.js';
import type { Actor } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import { grantWithId, liveGrant } from '../../projections/grants/queries.js';
import { createDocumentFetch } from '../adapters/oauth/documents.js';
import { openAuthorizationServer } from '../adapters/oauth/server.js';
import type { Grants } from '../adapters/oauth/state.js';
import type { Outside } from '../adapters/outside.js';
import type { World } from '../base/world.js';
import { revokeGrant } from '../commands/grants.js';
import { system } from '../commands/open-workspace.js';
import type { Run } from '../commands/run.js';
import type { Database } from '../database/database.js';
import { pageHeaders } from '../http/page-headers.js';
import { connectionProblem } from '../pages/connection.js';
import type { Config } from '../settings/config.js';
import type { SharedSecret } from './start/secrets.js';

interface OAuthParts {
  readonly database: Database;
  readonly secret: SharedSecret;
  readonly world: World;
  readonly log: Logger;
  readonly run: Run;
  readonly outside: Outside;
}

/** The authorization server for MCP clients. */
export async function wireOAuth(
  { baseUrl, clientMetadataDocuments, allowPrivateUrls }: Config,
  { database, secret, world, log, run, outside }: OAuthParts,
): Promise<AuthorizationServer> {
  const cookieKey = Buffer.from(await secret('oauth cookies')).toString('hex');
  return openAuthorizationServer({
    database,
    world,
    log,
    issuer: baseUrl,
    cookieKey,
    fetchDocument: clientMetadataDocuments
      ? createDocumentFetch(outside.fetch({ allowPrivate: allowPrivateUrls }))
      : null,
    grants: grantsIn({ database, world, run }),
    errorPage: { headers: pageHeaders, text: connectionProblem },
  });
}

/** The grants in the chains of the workspaces. */
function grantsIn({ database, world, run }: Pick<OAuthParts, 'database' | 'world' | 'run'>): Grants {
  return {
    isLive: async (grantId) => (await database.read((tx) => liveGrant(tx, grantId, world.now()))) !== undefined,
    async end(grantId, reason) {
      const grant = await database.read((tx) => grantWithId(tx, grantId));
      if (!grant) return;
      const { workspace_id, member_id: user_id, client_id: app_id, agent_id } = grant;
      const client: Actor = { type: 'grant', id: grantId, user_id, agent_id, app_id, run_id: null };
      await run(workspace_id, revokeGrant(world, reason === 'client' ? client : system, grantId, reason)).catch(
        unlessEnded,
      );
    },
  };
}

/** Another request may have ended it since. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof Refusal) || error.code !== 'grant_not_found') throw error;
}
