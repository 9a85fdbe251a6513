import type { Operation } from '../../api/operation.js';
import { answerHeaders, parameters, securitySchemes } from './headers.js';
import { operationOf } from './operation.js';
import { shownPath } from './paths.js';
import { createRefusals, refusalSchemas } from './refusal-answers.js';
import { memoryError, planLimit } from './refusals.js';
import { createSchemas } from './schemas.js';
import type { ApiDocument, OperationObject } from './shape.js';
import { introduction, tagOf } from './text.js';
import { webhooksOf } from './webhooks.js';

/** The description of the API (OpenAPI 3.1), made of the operations. */
export function describeApi(routes: readonly Operation[], version: string): ApiDocument {
  const schemas = createSchemas();
  const refusals = createRefusals();
  const paths: Record<string, Record<string, OperationObject>> = {};
  const tags = new Map<string, string>();
  for (const route of routes) {
    const path = shownPath(route);
    const { name, description } = tagOf(route);
    tags.set(name, description);
    const operation = operationOf(route, schemas, refusals);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  const webhooks = webhooksOf(schemas);
  for (const shape of [memoryError, planLimit]) schemas.answer(shape);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Counterfoil',
      version,
      summary: 'Memory for agents, with receipts.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that serves this description.' }],
    tags: [...tags].map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes,
      parameters,
      headers: answerHeaders,
      responses: refusals.named(),
      schemas: { ...schemas.named(), ...refusalSchemas() },
    },
  };
}
