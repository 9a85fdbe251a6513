import { z } from 'zod';
import { type Operation, operation } from '../operation.js';
import { operationJobOperations } from './jobs.js';
import { operationsStateOperation } from './state.js';

const version = z.string().describe('The version of the program.');

const health = z.object({ status: z.literal('up'), version }).meta({ id: 'Health', description: 'The process runs.' });

const readiness = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    version,
    missing: z.array(z.string()).describe('What is missing before writes can be accepted.'),
    warnings: z
      .array(z.string())
      .describe(
        'What needs the attention of the operator although writes are accepted, such as a log that is not signed.',
      ),
  })
  .meta({ id: 'Readiness', description: 'Whether the service can take a write.' });

export const healthOperation = operation({
  method: 'GET',
  path: '/healthz',
  summary: 'The process is up',
  access: 'anybody',
  serving: { everyRole: true },
  answers: { 200: health },
  refusals: [],
  documentation: { id: 'getHealth', answers: { 200: { body: { status: 'up', version: '0.1.0' } } } },
  handle: async (_request, { service: { version } }) => ({ status: 200, body: { status: 'up', version } }),
});

export const readinessOperation = operation({
  method: 'GET',
  path: '/readyz',
  summary: 'It can take a write',
  access: 'anybody',
  serving: { everyRole: true },
  answers: { 200: readiness, 503: readiness },
  refusals: [],
  documentation: {
    id: 'getReadiness',
    answers: {
      200: { description: 'It can.', body: { status: 'ready', version: '0.1.0', missing: [], warnings: [] } },
      503: {
        description: 'Not now.',
        body: { status: 'not_ready', version: '0.1.0', missing: ['the database does not answer'], warnings: [] },
      },
    },
  },
  async handle(_request, { service: { health, version } }) {
    const [missing, warnings] = await Promise.all([health.missing(), health.warnings()]);
    if (missing.length === 0) return { status: 200, body: { status: 'ready', version, missing, warnings } };
    return { status: 503, body: { status: 'not_ready', version, missing, warnings }, headers: { 'retry-after': '1' } };
  },
});

export const metricsOperation = operation({
  method: 'GET',
  path: '/metrics',
  summary: 'Metrics of this process',
  access: 'anybody',
  serving: { everyRole: true },
  answers: {
    200: {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      description: 'The text format of Prometheus.',
    },
  },
  refusals: [],
  documentation: {
    id: 'getMetrics',
    answers: { 200: { body: '# TYPE counterfoil_log_leaves gauge\ncounterfoil_log_leaves 42\n' } },
  },
  handle: async (_request, { service: { health } }) => ({ status: 200, body: await health.metrics() }),
});

export const serviceOperations: readonly Operation[] = [
  operationsStateOperation,
  ...operationJobOperations,
  healthOperation,
  readinessOperation,
  metricsOperation,
];
