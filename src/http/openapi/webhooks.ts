import { admittedMemory } from '../../../contracts/webhooks.js';
import { samples } from '../../api/samples.js';
import type { Schemas } from './schemas.js';
import type { Parameter, WebhookObject } from './shape.js';

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** The headers by which a receiver checks a delivery. */
const signatures: readonly Parameter[] = [
  header(
    'x-service-signature',
    'The time in seconds and the HMAC-SHA-256 of the time, a full stop and the body, with the secret as it was shown.',
    't=1773480414,v1=5f0c8d1e2b3a49586776a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
  ),
  header('webhook-id', 'The id of the delivery, as Standard Webhooks name it.', samples.job),
  header('webhook-timestamp', 'The time in seconds, as Standard Webhooks name it.', '1773480414'),
  header('webhook-signature', 'The signature of Standard Webhooks.', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='),
];

/** The requests that the service sends to the addresses of webhooks. */
export function webhooksOf(schemas: Schemas): Readonly<Record<string, Readonly<Record<string, WebhookObject>>>> {
  return {
    'memory.admitted': {
      post: {
        operationId: 'memoryAdmitted',
        summary: 'A memory is ready',
        description:
          'The service sends this to the address of each webhook whose pattern the memory fits, at least once. An answer of 2xx within ' +
          '10 seconds ends the delivery; it is repeated up to eight times after any other one.',
        tags: ['Webhooks'],
        security: [],
        parameters: signatures,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemas.answer(admittedMemory) } },
        },
        responses: {
          200: { description: 'The delivery has arrived; another 2xx says the same.' },
          '4XX': { description: 'It is sent again, as after every other status.' },
        },
      },
    },
  };
}
