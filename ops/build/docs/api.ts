import { apiDocument } from '../developers/openapi-file.js';
import { code, page, table } from './markdown.js';

/** Every route of the API in one table for each group, from the description of the API. */
export function apiReference(): string {
  const { tags, paths } = apiDocument();
  const lead =
    'Every route of the API. What each one takes, answers and refuses is described at `/developers/api` of a running service, with calls\n' +
    'to copy. The same description as OpenAPI 3.1 is at `/developers/openapi.yaml` and in `contracts/openapi.yaml`.';
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
  );
  const parts = tags.map(({ name, description }) => {
    const rows = all
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ route, operation }) => [code(route), operation.summary]);
    return `## ${name}\n\n${description}\n\n${table(['route', 'what it does'], rows)}`;
  });
  return page('API', lead, parts);
}
