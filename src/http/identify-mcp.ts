import { Refusal } from '../../contracts/errors.js';
import type { KnownAgentKey } from '../../projections/agents/keys.js';
import type { LiveGrant } from '../../projections/grants/queries.js';
import { roleOfGrant, scopesWithin } from '../domain/current-rights.js';
import { appOfGrant } from '../domain/oauth-redirect.js';
import { keyHash } from '../domain/secrets.js';
import type { AccessToken, IdentifyMcp, McpClient, McpHeaders, VerifyAccessToken } from '../mcp/credentials.js';
import { askingTogether, type NamedAgent } from './identify.js';

interface Parts {
  findAgentKey(secretHash: string, begun: () => void): Promise<KnownAgentKey | undefined>;
  findGrant(id: string, begun: () => void): Promise<LiveGrant | undefined>;
  readonly verifyAccessToken: VerifyAccessToken;
  readonly namedAgent: NamedAgent;
  /** Notes that a credential was used, without making the call wait. */
  noteUse(id: string): void;
}

/** Finds out who calls over MCP. API keys, virtual keys, the tokens of agents and cookies are not taken there. */
export function createIdentifyMcp(parts: Parts): IdentifyMcp {
  const { verifyAccessToken, namedAgent, noteUse } = parts;
  const agentKey = askingTogether(parts.findAgentKey);
  const grant = askingTogether(parts.findGrant);

  async function byAgentKey(secret: string, headers: McpHeaders): Promise<McpClient> {
    const key = await agentKey(keyHash(secret));
    if (!key) throw new Refusal('unauthorized', 'This agent key is not known, or was revoked.');
    const named = await namedAgent(key.workspace_id, headers);
    if (named !== null && named !== key.agent_id) {
      throw new Refusal('agent_not_linked', 'An agent key acts for its own agent only.');
    }
    return clientOfKey(key);
  }

  /** Every call looks the grant up, so a token is worth nothing once its grant has ended. */
  async function byAccessToken(text: string, headers: McpHeaders): Promise<McpClient> {
    const token = await verifyAccessToken(text);
    if (token === null) throw notTaken();
    const live = await grant(token.grantId);
    if (!live || live.client_id !== token.clientId) {
      throw new Refusal('unauthorized', 'The access that this token belongs to was revoked or has expired.');
    }
    const scopes = token.scopes.filter((scope) => live.scopes.includes(scope));
    if (!scopes.includes('mcp:tools')) {
      throw new Refusal('insufficient_scope', 'This token lacks the scope mcp:tools, which every call of /mcp needs.');
    }
    const named = await namedAgent(live.workspace_id, headers);
    return clientOfGrant(live, scopes, named ?? live.agent_id);
  }

  return async (headers) => {
    const secret = bearer(headers.authorization);
    const client = secret.startsWith('agk_') ? await byAgentKey(secret, headers) : await byAccessToken(secret, headers);
    noteUse(client.countedBy);
    return client;
  };
}

function clientOfKey({
  id,
  workspace_id,
  agent_id,
  name,
  scopes,
  namespace_ids,
  memory_api,
}: KnownAgentKey): McpClient {
  return {
    caller: {
      workspaceId: workspace_id,
      actor: { type: 'agent_key', id, user_id: null, agent_id, app_id: name, run_id: null, via: 'mcp' },
      scopes: ['mcp:tools', ...scopes],
      namespaceIds: namespace_ids,
      agent: agent_id,
      role: null,
      memoryApi: memory_api,
    },
    countedBy: id,
  };
}

function clientOfGrant(grant: LiveGrant, scopes: AccessToken['scopes'], agent: string | null): McpClient {
  const { id, workspace_id, member_id, client_id, namespace_ids, role, memory_api } = grant;
  const app_id = appOfGrant(grant);
  return {
    caller: {
      workspaceId: workspace_id,
      actor: { type: 'grant', id, user_id: member_id, agent_id: agent, app_id, client_id, run_id: null, via: 'mcp' },
      scopes: scopesWithin(scopes, role),
      namespaceIds: namespace_ids,
      agent,
      role: roleOfGrant(role),
      memoryApi: memory_api,
    },
    countedBy: id,
  };
}

/** @throws Refusal unauthorized for a credential that the API takes, or none */
function bearer(authorization: string | undefined): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) {
    throw new Refusal('unauthorized', 'Send an agent key (agk_…) or an access token: Authorization: Bearer …');
  }
  if (/^(ak|vk|agt)_/.test(token)) throw notTaken();
  return token;
}

const notTaken = (): Refusal =>
  new Refusal('unauthorized', 'This credential is not taken here. Use an agent key (agk_…) or an access token.');
