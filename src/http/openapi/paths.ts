import { isBytes, type Operation } from '../../api/operation.js';
import { samples } from '../../api/samples.js';
import type { Parameter } from './shape.js';

const uuid = (description: string, example: string) => ({
  description,
  schema: { type: 'string', format: 'uuid' },
  example,
});

/** Descriptions of the parameters of paths, by name. Other parameters are plain text. */
const known: Readonly<Record<string, Omit<Parameter, 'name' | 'in' | 'required'>>> = {
  memory_id: uuid('The id of a memory.', samples.memory),
  job_id: uuid('The id of an ingest job.', samples.job),
  namespace_id: uuid('The id of a namespace.', samples.namespace),
  key_id: uuid('The id of an API key or of a key of an agent.', samples.key),
  member_id: uuid('The id of a person.', samples.person),
  webhook_id: uuid('The id of a webhook.', samples.webhook),
  delivery_id: uuid('The id of a delivery.', samples.job),
  link_id: uuid('The id of the link, as the list of agents gives it.', samples.other),
  approval_id: {
    description: 'The id of an approval.',
    schema: { type: 'string' },
    example: 'apr_01919f3d4b167d2fa0c1b2d3e4f50677',
  },
  agn_id: {
    description: 'The identifier of an identity: agn_ and 32 characters of a-z and 2-7.',
    schema: { type: 'string' },
    example: 'agn_wh5r7zwyel7xyuz4j7rqih3h7wfowjjs',
  },
  grant_id: {
    description: 'The id of a grant, as the list of grants gives it.',
    schema: { type: 'string' },
    example: samples.grant,
  },
  receipt_id: { description: 'The id of a receipt.', schema: { type: 'string' }, example: samples.receipt },
  epoch: {
    description: 'The day of UTC; where epochs are not whole days, the start as YYYY-MM-DDTHHMMSSZ.',
    schema: { type: 'string' },
    example: '2026-03-14',
  },
  day: { description: 'A day of UTC, as YYYY-MM-DD.', schema: { type: 'string' }, example: '2027-03-01' },
  log: {
    description: 'The number of a log: 1 for the first log of the installation.',
    schema: { type: 'string' },
    example: '1',
  },
  head_index: { description: 'The leaf of a head in the log.', schema: { type: 'string' }, example: '42' },
  entries: {
    description: 'A number of entries, from 1 to that of the head.',
    schema: { type: 'string' },
    example: '7',
  },
  path: {
    description: 'A tile as C2SP tlog-tiles names it; its slashes stay as they are.',
    schema: { type: 'string' },
    example: '0/000.p/17',
  },
};

/** The path as OpenAPI writes it. */
export function shownPath({ path }: Pick<Operation, 'path'>): string {
  return path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}');
}

export function pathParameters(route: Operation): Parameter[] {
  return [...shownPath(route).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(known[name] ?? {
      description: `${name.replaceAll('_', ' ')}.`,
      schema: { type: 'string' },
      example: samples.other,
    }),
  }));
}

export function takesBody({ body }: Operation): boolean {
  return isBytes(body) ? body.schema !== null : Object.keys(body).length > 0;
}
