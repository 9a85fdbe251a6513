import { limits } from '../../../contracts/limits.js';
import { unavailableCode } from '../../api/failures.js';
import { isForWorkspaces, type Operation } from '../../api/operation.js';
import type { Header, Parameter, Reference, Schema } from './shape.js';

export const securitySchemes: Readonly<Record<string, Schema>> = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ak_…',
    description:
      'An API key of the workspace. An admin creates it, it is shown once, it reaches only the namespaces that it is limited to, ' +
      'and it may be limited further by the scopes memory.read and memory.write.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'service_session',
    description:
      'A person who has signed in with POST /v1/session. Requests from pages of other sites are refused (csrf).',
  },
};

/** Headers that requests of many operations may have. */
export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'The request takes effect once within 24 hours. Repeated with the same body, it gets the first answer; with ' +
      'another body, it is refused with 422.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  ServiceAgent: {
    name: 'x-service-agent',
    in: 'header',
    required: false,
    description:
      'The agent that makes the request: the id of its identity or its token. It must be linked to the workspace.',
    schema: { type: 'string' },
  },
  ServiceRun: {
    name: 'x-service-run',
    in: 'header',
    required: false,
    description: 'The run that the request belongs to; it becomes run_id of the provenance.',
    schema: { type: 'string', minLength: 1, maxLength: limits.runIdCharacters, pattern: '^[ -~]+$' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      'wait=N: the answer is sent when the job has ended, or after N seconds, 10 at most (RFC 7240). It is otherwise the same, with the stage that the job has ' +
      'then. An answer without Preference-Applied did not wait.',
    schema: { type: 'string' },
    example: 'wait=5',
  },
} as const satisfies Record<string, Parameter>;

const parameter = (name: keyof typeof parameters): Reference => ({ $ref: `#/components/parameters/${name}` });

/** Those of them that are read in this route. */
export function headersOf(operation: Operation): (Parameter | Reference)[] {
  if (!isForWorkspaces(operation)) return [];
  const agent = operation.needsAgent ? { ...parameters.ServiceAgent, required: true } : parameter('ServiceAgent');
  return [
    ...(operation.method === 'POST' ? [parameter('IdempotencyKey')] : []),
    ...(operation.settle ? [parameter('Prefer')] : []),
    agent,
    parameter('ServiceRun'),
  ];
}

/** Headers of answers. */
export const answerHeaders = {
  RequestId: {
    required: true,
    description:
      'The id of the request in the log of the service. The service generates it; an id that a caller sends is only logged.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    required: false,
    description:
      'The budgets that the request has counted in (draft-ietf-httpapi-ratelimit-headers): the name of each, how many requests it allows (q) ' +
      'and in how many seconds (w). Absent where requests are not limited.',
    schema: { type: 'string' },
    example: '"address";q=300;w=60, "writes";q=600;w=60',
  },
  RateLimit: {
    required: false,
    description: 'The same budgets: how many requests are left (r), and after how many seconds all are again (t).',
    schema: { type: 'string' },
    example: '"address";r=299;t=60, "writes";r=597;t=41',
  },
  RetryAfter: { required: true, description: 'How many seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  WwwAuthenticate: { required: true, description: 'Always Bearer.', schema: { type: 'string' } },
  Erasure: {
    required: false,
    description:
      'The search engine has not confirmed the deletion within two seconds. It is repeated until it is confirmed, and no search ' +
      'shows the memory meanwhile.',
    schema: { type: 'string', enum: ['pending'] },
  },
  ReceiptId: {
    required: false,
    description:
      'The receipt of the last entry that the call has recorded, see GET /v1/receipts/{receipt_id}. Absent where nothing was recorded. A ' +
      'repetition of the call under its Idempotency-Key has the same one.',
    schema: { type: 'string', pattern: '^rcp_[0-9a-f]{32}$' },
  },
  PreferenceApplied: {
    required: false,
    description: 'The preference of the request that was applied, such as wait=5.',
    schema: { type: 'string' },
  },
  SetCookie: {
    required: false,
    description: 'The cookie of the session, when it was started, extended or ended.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Header>;

const header = (name: keyof typeof answerHeaders): Reference => ({ $ref: `#/components/headers/${name}` });

/** Answers that caches keep name no budgets of one client. */
const showsBudgets = ({ path, serving: { publicFile, publicFeed } }: Operation): boolean =>
  path.startsWith('/v1/') && !publicFile && !publicFeed;

/** An operation that records something is refused where the receipt cannot be recorded. */
const records = ({ method, refusals, documentation }: Operation): boolean =>
  method !== 'GET' && documentation.recordsNothing === undefined && unavailableCode(refusals) !== 'not_ready';

export function answerHeadersOf(operation: Operation, status: number): Readonly<Record<string, Reference>> {
  const { access, documentation, settle } = operation;
  return {
    'X-Request-Id': header('RequestId'),
    ...((status < 300 || status === 429) && showsBudgets(operation)
      ? { 'RateLimit-Policy': header('RateLimitPolicy'), RateLimit: header('RateLimit') }
      : {}),
    ...(status === 401 ? { 'WWW-Authenticate': header('WwwAuthenticate') } : {}),
    ...(status === 429 || status === 503 ? { 'Retry-After': header('RetryAfter') } : {}),
    ...(status < 300 && records(operation) ? { 'x-receipt-id': header('ReceiptId') } : {}),
    ...(status < 300 && documentation.erases ? { 'x-service-erasure': header('Erasure') } : {}),
    ...(status < 300 && settle ? { 'Preference-Applied': header('PreferenceApplied') } : {}),
    ...(status < 300 && access !== 'anybody' ? { 'Set-Cookie': header('SetCookie') } : {}),
  };
}
