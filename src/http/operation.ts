import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Described } from '../api/described.js';

/** The pages outside /v1/ for those who run the service: what they answer is worked out by the app. */
export interface Operation {
  /** Names of what is missing before a write can be taken; empty when ready. */
  missing(): Promise<readonly string[]>;
  /** What needs somebody, although writes are taken: sentences without a word about files. */
  warnings(): Promise<readonly string[]>;
  metrics(): Promise<{ type: string; text: string }>;
  observe(method: string, route: string, status: number, seconds: number): void;
}

const paths = { health: '/healthz', readiness: '/readyz', metrics: '/metrics' } as const;

const allPaths: readonly string[] = Object.values(paths);
export const isOperationPath = (path: string): boolean => allPaths.includes(path);

const readiness = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    missing: z.array(z.string()).describe('What is missing before writes can be accepted.'),
    warnings: z
      .array(z.string())
      .describe(
        'What needs the attention of the operator although writes are accepted, such as a log that is not signed.',
      ),
  })
  .meta({ id: 'Readiness', description: 'Whether the service can take a write.' });

const common = { method: 'GET', access: 'anybody', query: {}, body: {}, refusals: [] } as const;

/** What they say of themselves; see routes.ts. */
export const operationRoutes: readonly Described[] = [
  {
    ...common,
    path: paths.health,
    summary: 'The process is up',
    answers: { 200: z.object({ status: z.literal('up') }).meta({ id: 'Health', description: 'The process runs.' }) },
  },
  { ...common, path: paths.readiness, summary: 'It can take a write', answers: { 200: readiness, 503: readiness } },
  {
    ...common,
    path: paths.metrics,
    summary: 'Metrics of this process',
    answers: { 200: { mediaType: 'text/plain', description: 'The text format of Prometheus.' } },
  },
];

const json = 'application/json; charset=utf-8';

export function addOperation(server: FastifyInstance, operation: Operation): void {
  server.get(paths.health, async (_request, reply) => reply.type(json).send('{"status":"up"}'));
  server.get(paths.readiness, async (_request, reply) => {
    const [missing, warnings] = await Promise.all([operation.missing(), operation.warnings()]);
    const status = missing.length === 0 ? 'ready' : 'not_ready';
    if (status === 'not_ready') void reply.header('retry-after', '1');
    return reply
      .code(missing.length === 0 ? 200 : 503)
      .type(json)
      .send(JSON.stringify({ status, missing, warnings }));
  });
  server.get(paths.metrics, async (_request, reply) => {
    const { type, text } = await operation.metrics();
    return reply.type(type).send(text);
  });
}
