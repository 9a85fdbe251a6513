import { z } from 'zod';
import type { Described, Plain } from '../../api/described.js';
import { takesKeys } from '../../domain/caller.js';
import { curl } from './curl.js';
import { answerHeadersOf, headersOf } from './headers.js';
import { pathParameters, shownPath, takesBody } from './paths.js';
import type { Refusals } from './refusal-answers.js';
import type { Schemas } from './schemas.js';
import type { Media, Operation, Parameter, ResponseObject } from './shape.js';
import { saysOfParameter, tagOf, whoMayCall } from './text.js';
import type { Told } from './told.js';

/** A route as an operation of the document. */
export function operationOf(route: Described, told: Told | undefined, schemas: Schemas, refusals: Refusals): Operation {
  const id = told?.id ?? idOf(route);
  const parameters = [...pathParameters(route), ...queryParameters(route, schemas), ...headersOf(route)];
  return {
    operationId: id,
    summary: route.summary,
    description: description(route, told),
    tags: [tagOf(route).name],
    security: securityOf(route),
    parameters,
    ...(takesBody(route) ? { requestBody: requestBody(route, told, id, schemas) } : {}),
    responses: { ...answers(route, told, schemas), ...refusals.of(route) },
    'x-codeSamples': [{ lang: 'curl', source: curl(route, told) }],
  };
}

/** For a route that nobody has named: what it is asked with and for. */
function idOf(route: Described): string {
  const parts = shownPath(route).replace('/v1/', '').split(/\W+/).filter(Boolean);
  const words = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return `${route.method.toLowerCase()}${words.join('')}`;
}

function description(route: Described, told: Told | undefined): string {
  const lines = [told?.description, `**Who may call:** ${whoMayCall(route)}`];
  if (takesBody(route)) lines.push('A field of the body that is not listed here is refused.');
  return lines.filter((line) => line !== undefined).join('\n\n');
}

function securityOf({ access }: Described): Operation['security'] {
  if (access === 'anybody') return [];
  const session = { session: [] };
  return access !== 'a session' && takesKeys(access) ? [{ apiKey: [] }, session] : [session];
}

function queryParameters({ query }: Described, schemas: Schemas): Parameter[] {
  return Object.entries(query).map(([name, field]) => {
    const { description = saysOfParameter(name), ...schema } = schemas.query(field);
    return {
      name,
      in: 'query',
      required: !field.schema.safeParse(undefined).success,
      description: String(description),
      schema,
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      'x-refused-with': field.code,
    };
  });
}

function requestBody(route: Described, told: Told | undefined, id: string, schemas: Schemas) {
  const name = told?.body ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}In`;
  const media: Media = {
    schema: schemas.body(name, route.body),
    ...(told?.request === undefined ? {} : { examples: { request: { value: told.request } } }),
  };
  // What a DELETE says in its body may stand in its query instead.
  return { required: route.method !== 'DELETE', content: { 'application/json': media } };
}

function answers(route: Described, told: Told | undefined, schemas: Schemas): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => {
      const { says, body } = told?.answers[Number(status)] ?? {};
      const examples = body === undefined ? {} : { examples: { answer: { value: body } } };
      const headers = answerHeadersOf(route, Number(status));
      return [
        status,
        {
          description: says ?? descriptionOf(answer),
          ...(Object.keys(headers).length === 0 ? {} : { headers }),
          content: isPlain(answer)
            ? { [answer.mediaType]: { schema: { type: 'string' }, ...examples } }
            : { 'application/json': { schema: schemas.answer(answer), ...examples } },
        },
      ];
    }),
  );
}

function isPlain(answer: z.ZodType | Plain): answer is Plain {
  return !(answer instanceof z.ZodType);
}

function descriptionOf(answer: z.ZodType | Plain): string {
  return isPlain(answer) ? answer.description : (answer.meta()?.description ?? 'It was done.');
}
