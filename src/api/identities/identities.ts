import { challenge, identityList, identityQuery, identityRecord } from '../../../contracts/identities.js';
import { limits } from '../../../contracts/limits.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { exampleAgentId, exampleChallenge, exampleRecord } from './examples.js';
import { recordOf, recordsFrom } from './read.js';

const path = '/v1/agent-id';

export const identityListOperation = operation({
  method: 'GET',
  path,
  summary: 'The identities that were issued, newest first, or the record of one identifier',
  access: 'anybody',
  serving: { publicFile: true, revalidates: true, cacheControl: 'no-cache' },
  query: identityQuery,
  answers: { 200: identityList.or(identityRecord) },
  refusals: ['invalid_agn_id', 'invalid_page'],
  documentation: {
    id: 'getIdentities',
    description:
      'Without `id` a list of up to 100 records; while there are more, the header Link names the next page. With `id` one record: ' +
      'for an identifier that is not in this registry its status is unverified, and everything else is null or empty. ' +
      '`verified` says that the key was held when a challenge was signed. Names are as their submitters wrote them.',
    query: { id: exampleAgentId },
    answers: { 200: { description: 'The list, or the record.', body: exampleRecord } },
  },
  async handle({ query: { id, page } }, { reading: { read }, service: { origin } }) {
    if (id !== undefined) return { status: 200, body: await read((tx) => recordOf(tx, id, origin)) };
    const size = limits.identitiesPerPage;
    const records = await read((tx) => recordsFrom(tx, (page - 1) * size, size + 1, origin));
    const headers = records.length > size ? { link: `<${path}?page=${page + 1}>; rel="next"` } : {};
    return { status: 200, body: records.slice(0, size), headers };
  },
});

export const challengeOperation = operation({
  method: 'GET',
  path: `${path}/challenge`,
  summary: 'A challenge to sign, to prove that a key is held',
  access: 'anybody',
  serving: { publicFile: true, cacheControl: 'no-store' },
  answers: { 200: challenge },
  refusals: [],
  documentation: {
    id: 'getChallenge',
    description: 'It can be used once, within 10 minutes, for an identity or for a link.',
    answers: {
      200: {
        body: {
          challenge: exampleChallenge,
          expires_at: samples.later,
        },
      },
    },
  },
  async handle(_request, { access: { proofs } }) {
    const { challenge, expiresAt } = proofs.challenge();
    return { status: 200, body: { challenge, expires_at: expiresAt.toISOString() } };
  },
});
