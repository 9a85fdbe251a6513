import type { Described } from '../../api/described.js';
import { takesKeys } from '../../domain/caller.js';
import { pathParameters, shownPath } from './paths.js';
import type { Told } from './told.js';

/** The call of an example as a line for a shell, with `$URL` and `$KEY` as the README sets them. */
export function curl(route: Described, told: Told | undefined): string {
  const lines = [`curl ${how(route)}"$URL${address(route, told)}"`, ...credential(route)];
  if (told?.request !== undefined) lines.push(`-d '${quoted(told.request)}'`);
  return lines.join(' \\\n  ');
}

function how({ method, path }: Described): string {
  if (path.includes('*')) return '-o tile ';
  return method === 'GET' ? '' : `-X ${method} `;
}

function address(route: Described, told: Told | undefined): string {
  const path = pathParameters(route).reduce(
    (text, { name, example = '' }) => text.replace(`{${name}}`, example),
    shownPath(route),
  );
  const query = new URLSearchParams(told?.query).toString();
  return query === '' ? path : `${path}?${query}`;
}

function credential({ access, path }: Described): string[] {
  if (path === '/v1/session') return ['-b cookies.txt -c cookies.txt'];
  if (access === 'anybody') return [];
  return access !== 'a session' && takesKeys(access) ? ['-H "authorization: Bearer $KEY"'] : ['-b cookies.txt'];
}

function quoted(request: unknown): string {
  return JSON.stringify(request, null, 2).replaceAll("'", "'\\''");
}
