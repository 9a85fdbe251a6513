import { Refusal } from '../../contracts/errors.js';
import type { KnownAgentKey } from '../../projections/agents/keys.js';
import { keyHash } from '../domain/secrets.js';
import type { IdentifyMcp, McpClient, McpHeaders } from '../mcp/credentials.js';
import { askingTogether } from './asked-together.js';
import type { NamedAgent } from './identify.js';

interface Parts {
  findAgentKey(secretHash: string, begun: () => void): Promise<KnownAgentKey | undefined>;
  readonly namedAgent: NamedAgent;
  /** Notes that a credential was used, without making the call wait. */
  noteUse(id: string): void;
}

/** Finds out who calls over MCP. API keys, the tokens of agents and cookies are not taken there. */
export function createIdentifyMcp({ findAgentKey, namedAgent, noteUse }: Parts): IdentifyMcp {
  const known = askingTogether(findAgentKey);

  async function byAgentKey(secret: string, headers: McpHeaders): Promise<McpClient> {
    const key = await known(keyHash(secret));
    if (!key) throw new Refusal('unauthorized', 'This agent key is not known, or was revoked.');
    const named = await namedAgent(key.workspace_id, headers);
    if (named !== null && named !== key.agent_id) {
      throw new Refusal('agent_not_linked', 'An agent key acts for its own agent only.');
    }
    return clientOf(key);
  }

  return async (headers) => {
    const client = await byAgentKey(bearer(headers.authorization), headers);
    noteUse(client.countedBy);
    return client;
  };
}

function clientOf({ id, workspace_id, agent_id, name, scopes, namespace_ids, memory_api }: KnownAgentKey): McpClient {
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

/** @throws Refusal unauthorized for what is no agent key */
function bearer(authorization: string | undefined): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) {
    throw new Refusal('unauthorized', 'Send an agent key (agk_…) or an access token: Authorization: Bearer …');
  }
  if (!/^agk_[0-9A-Za-z]{43}$/.test(token)) {
    throw new Refusal(
      'unauthorized',
      'This credential is not taken here. Use an agent key (agk_…) or an access token.',
    );
  }
  return token;
}
