import type { z } from 'zod';
import type { Media } from '../../api/answer.js';
import { isForWorkspaces, isJson, type Operation } from '../../api/operation.js';
import { takesKeys } from '../../domain/caller.js';
import { answerHeadersOf, headersOf } from './headers.js';
import { pathParameters, shownPath, takesBody } from './paths.js';
import type { Refusals } from './refusal-answers.js';
import type { Schemas } from './schemas.js';
import type { MediaTypeObject, OperationObject, Parameter, ResponseObject } from './shape.js';
import { saysOfParameter, tagOf, whoMayCall } from './text.js';

/** A route as an operation of the document. */
export function operationOf(route: Operation, schemas: Schemas, refusals: Refusals): OperationObject {
  const { id } = route.documentation;
  const parameters = [...pathParameters(route), ...queryParameters(route, schemas), ...headersOf(route)];
  return {
    operationId: id,
    summary: route.summary,
    description: description(route),
    tags: [tagOf(route).name],
    security: securityOf(route),
    parameters,
    ...(takesBody(route) ? { requestBody: requestBody(route, schemas) } : {}),
    responses: { ...answers(route, schemas), ...unchanged(route), ...refusals.of(route) },
    'x-codeSamples': [{ lang: 'curl', source: curl(route) }],
  };
}

function description(route: Operation): string {
  const lines = [route.documentation.description, `**Who may call:** ${whoMayCall(route)}`];
  if (takesBody(route) && !route.documentation.takesMore)
    lines.push('A field of the body that is not listed here is refused.');
  return lines.filter((line) => line !== undefined).join('\n\n');
}

function securityOf(route: Operation): OperationObject['security'] {
  if (route.access === 'anybody') return [];
  const session = { session: [] };
  if (route.access === 'a person or anyone') return [{}, session];
  return isForWorkspaces(route) && takesKeys(route.access) ? [{ apiKey: [] }, session] : [session];
}

function queryParameters({ query }: Operation, schemas: Schemas): Parameter[] {
  return Object.entries(query).map(([name, field]) => {
    const { description = saysOfParameter(name), ...schema } = schemas.query(field);
    return {
      name,
      in: 'query',
      required: !field.schema.safeParse(undefined).success,
      description: String(description),
      schema,
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      ...(field.isDeep ? { style: 'deepObject', explode: true } : {}),
      'x-refused-with': field.code,
    };
  });
}

function requestBody(route: Operation, schemas: Schemas) {
  const { id, body, bodyKinds, request } = route.documentation;
  const name = body ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}In`;
  const media: MediaTypeObject = {
    schema: schemas.body(name, route.body, bodyKinds),
    ...(request === undefined ? {} : { examples: { request: { value: request } } }),
  };
  // A DELETE may have the members of its body in its query instead.
  return { required: route.method !== 'DELETE', content: { 'application/json': media, ...otherEncoding(route) } };
}

function answers(route: Operation, schemas: Schemas): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => {
      const { description, body } = route.documentation.answers[Number(status)] ?? {};
      const examples = body === undefined ? {} : { examples: { answer: { value: body } } };
      const headers = answerHeadersOf(route, Number(status));
      return [
        status,
        {
          description: description ?? descriptionOf(answer),
          ...(Object.keys(headers).length === 0 ? {} : { headers }),
          content: isJson(answer)
            ? { 'application/json': { schema: schemas.answer(answer), ...examples }, ...otherEncoding(route) }
            : { [mediaType(answer)]: { schema: { type: 'string' }, ...examples } },
        },
      ];
    }),
  );
}

function otherEncoding({ alsoEncodedAs }: Operation): Record<string, MediaTypeObject> {
  return alsoEncodedAs === undefined ? {} : { [alsoEncodedAs]: { schema: { type: 'string', format: 'binary' } } };
}

/** For a client that has the answer already. */
function unchanged(route: Operation): Record<string, ResponseObject> {
  if (!route.serving.revalidates && !route.serving.publicFeed) return {};
  const description = 'The answer is still the one whose ETag If-None-Match has named.';
  return { 304: { description, headers: answerHeadersOf(route, 304) } };
}

/** The content type without its parameters. */
function mediaType({ contentType }: Media): string {
  return contentType.split(';', 1).join();
}

function descriptionOf(answer: z.ZodType | Media): string {
  return isJson(answer) ? (answer.meta()?.description ?? 'It was done.') : answer.description;
}

/** The call of an example as a line for a shell, with `$URL` and `$KEY` as the README sets them. */
function curl(route: Operation): string {
  const { request } = route.documentation;
  const lines = [`curl ${how(route)}"$URL${address(route)}"`, ...credential(route)];
  // Elsewhere the content type does not matter.
  if (route.alsoEncodedAs !== undefined) lines.push('-H "content-type: application/json"');
  if (request !== undefined) lines.push(`-d '${quoted(request)}'`);
  return lines.join(' \\\n  ');
}

function how({ method, path }: Operation): string {
  if (path.includes('*')) return '-o tile ';
  return method === 'GET' ? '' : `-X ${method} `;
}

function address(route: Operation): string {
  const path = pathParameters(route).reduce(
    (text, { name, example = '' }) => text.replace(`{${name}}`, example),
    shownPath(route),
  );
  const query = new URLSearchParams(route.documentation.query).toString();
  return query === '' ? path : `${path}?${query}`;
}

function credential(route: Operation): string[] {
  if (route.path === '/v1/session') return ['-b cookies.txt -c cookies.txt'];
  if (route.access === 'anybody') return [];
  const byKey = isForWorkspaces(route) && takesKeys(route.access);
  return byKey ? ['-H "authorization: Bearer $KEY"'] : ['-b cookies.txt'];
}

function quoted(request: unknown): string {
  return JSON.stringify(request, null, 2).replaceAll("'", "'\\''");
}
