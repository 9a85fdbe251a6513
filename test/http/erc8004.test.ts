import { describe, expect, it } from 'vitest';
import { ask } from './ask.js';
import { code, usePeople } from './people.js';

const agn_id = 'agn_wh5r7zwyel7xyuz4j7rqih3h7wfowjjs';
const key = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

describe('ERC-8004 without its settings', () => {
  const people = usePeople({ BASE_URL: 'https://memory.example.org' });
  const fetched = (path: string, headers: Record<string, string> = {}) =>
    ask(people.service().app.server.listeningOrigin, 'GET', path, { headers });

  // @covers ERC-LINK-AWAY
  it('links nothing, and says which settings are missing', async () => {
    const { id } = (await people.as('owner').call('POST', '/v1/agents', { agent_id: agn_id })).json;
    const body = { agent_id: '7', proof: { registration: true } };
    const reply = await people.as('owner').call('PUT', `/v1/agents/${id}/erc8004`, body);
    expect(code(reply)).toEqual([404, 'feature_not_enabled']);
    expect(reply.json.error.message).toContain('ERC8004_IDENTITY');
    for (const wrong of ['x', `${id}0`]) {
      expect(code(await people.as('owner').call('DELETE', `/v1/agents/${wrong}/erc8004`))).toEqual([
        404,
        'agent_not_found',
      ]);
    }
  });

  // @covers ERC-SERVICE-FILE
  it('describes the service as one agent', async () => {
    const { status, json, headers } = await fetched('/.well-known/agent-registration.json');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name: 'Counterfoil',
      services: [
        { name: 'MCP', endpoint: 'https://memory.example.org/mcp' },
        { name: 'OpenAPI', endpoint: 'https://memory.example.org/developers/openapi.yaml' },
        { name: 'web', endpoint: 'https://memory.example.org/' },
      ],
      registrations: [],
    });
    expect([headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual([
      '*',
      'public, max-age=60, s-maxage=60',
    ]);
    const etag = headers.get('etag') ?? '';
    expect((await fetched('/.well-known/agent-registration.json', { 'if-none-match': etag })).status).toBe(304);
  });

  // @covers ERC-AGENT-FILE
  it('describes identities, also ones that were not issued', async () => {
    await people.service().call('POST', '/v1/agent-id', { public_key: key, vendor: 'Acme', agent_name: 'Bot' });
    const { json, headers } = await fetched(`/v1/agent-id/${agn_id}/registration.json`);
    expect(json).toMatchObject({ name: 'Bot', status: 'issued', active: true, counterfoil: agn_id, registrations: [] });
    expect(json.description).toContain('Acme');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const unknown = `agn_${'a'.repeat(32)}`;
    const other = await fetched(`/v1/agent-id/${unknown}/registration.json`);
    expect([other.status, other.json]).toMatchObject([200, { name: unknown, status: 'unverified', active: false }]);
    for (const wrong of ['agn_', `${agn_id}a`, agn_id.toUpperCase(), '%00']) {
      expect(code(await fetched(`/v1/agent-id/${wrong}/registration.json`))).toEqual([400, 'invalid_agn_id']);
    }
  });
});
