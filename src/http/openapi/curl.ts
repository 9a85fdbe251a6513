import { isForWorkspaces, type Operation } from '../../api/operation.js';
import { takesKeys } from '../../domain/caller.js';
import { pathParameters, shownPath } from './paths.js';

/** The call of an example as a line for a shell, with `$URL` and `$KEY` as the README sets them. */
export function curl(route: Operation): string {
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
