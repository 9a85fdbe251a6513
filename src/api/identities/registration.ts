import { type RegistrationFile, registrationFile, registrationType } from '../../../contracts/erc8004.js';
import { Refusal } from '../../../contracts/errors.js';
import { agentId, type IdentityRecord } from '../../../contracts/identities.js';
import { type Erc8004Link, publicErc8004Links } from '../../../projections/agents/erc8004.js';
import { registryName } from '../../domain/erc8004/link.js';
import { operation } from '../operation.js';
import { exampleRecord } from './examples.js';
import { recordOf } from './read.js';

/** As public feeds are kept. */
const cacheControl = 'public, max-age=60, s-maxage=60';
const exampleBase = 'https://memory.example.org';

export const serviceRegistrationOperation = operation({
  method: 'GET',
  path: '/.well-known/agent-registration.json',
  summary: 'This service as an agent, in the form of ERC-8004',
  access: 'anybody',
  serving: { publicFile: true, revalidates: true, cacheControl },
  addressLimit: 'publicFiles',
  answers: { 200: registrationFile },
  refusals: [],
  documentation: {
    id: 'getServiceRegistration',
    description:
      'It describes the service alone, also where no registries are set. The agents of its users have files of their own.',
    answers: { 200: { body: serviceFile(exampleBase) } },
  },
  async handle(_request, { service: { baseUrl } }) {
    return { status: 200, body: serviceFile(baseUrl) };
  },
});

export const agentRegistrationOperation = operation({
  method: 'GET',
  path: '/v1/agent-id/:agn_id/registration.json',
  summary: 'An identity as an agent, in the form of ERC-8004',
  access: 'anybody',
  serving: { publicFile: true, revalidates: true, cacheControl },
  answers: { 200: registrationFile },
  refusals: ['invalid_agn_id'],
  documentation: {
    id: 'getAgentRegistration',
    description:
      'Names are as their submitters wrote them. An identifier that was not issued here has a file too, whose status is unverified. ' +
      'An agent of ERC-8004 may have this file as its registration file, and then can be linked to the identity.',
    answers: {
      200: {
        body: agentFile(exampleBase, exampleRecord, {
          chain_id: 1,
          registry: '0x8004a169fb4a3325136eb29fa0ceb6d2e539a432',
          agent_id: '22',
        }),
      },
    },
  },
  async handle({ params: { agn_id: id = '' } }, { reading: { read }, service: { baseUrl, origin } }) {
    if (!agentId.safeParse(id).success) throw new Refusal('invalid_agn_id');
    return read(async (tx) => {
      const record = await recordOf(tx, id, origin);
      const link = record.status === 'unverified' ? null : ((await publicErc8004Links(tx, [id])).get(id) ?? null);
      return { status: 200, body: agentFile(baseUrl, record, link) };
    });
  },
});

function serviceFile(baseUrl: string): RegistrationFile {
  return {
    type: registrationType,
    name: 'Counterfoil',
    description:
      'Memory, receipts and agent data: every write, delete and search is a hash-chained receipt that can be checked without trusting who runs the service.',
    services: [
      { name: 'MCP', endpoint: `${baseUrl}/mcp` },
      { name: 'OpenAPI', endpoint: `${baseUrl}/developers/openapi.yaml` },
      { name: 'web', endpoint: `${baseUrl}/` },
    ],
    x402Support: false,
    active: true,
    registrations: [],
    supportedTrust: [],
    counterfoil: null,
    status: null,
  };
}

function agentFile(
  baseUrl: string,
  { agn_id, agent_name, handle, vendor, status }: IdentityRecord,
  link: Pick<Erc8004Link, 'chain_id' | 'registry' | 'agent_id'> | null,
): RegistrationFile {
  const by = vendor === null ? '' : ` of ${vendor}`;
  return {
    type: registrationType,
    name: agent_name ?? handle ?? agn_id,
    description:
      status === 'unverified'
        ? 'An identifier that was not issued by this service.'
        : `The agent identity ${agn_id}${by}, whose names are as the submitter wrote them, with a history of task receipts.`,
    services: [{ name: 'web', endpoint: `${baseUrl}/v1/agent-id?id=${agn_id}` }],
    x402Support: false,
    active: status !== 'unverified',
    registrations: link === null ? [] : [registrationOf(link)],
    supportedTrust: link === null ? [] : ['reputation'],
    counterfoil: agn_id,
    status,
  };
}

function registrationOf({ chain_id, registry, agent_id }: Pick<Erc8004Link, 'chain_id' | 'registry' | 'agent_id'>) {
  const number = Number(agent_id);
  return {
    agentId: Number.isSafeInteger(number) ? number : agent_id,
    agentRegistry: registryName({ chainId: chain_id, registry }),
  };
}
