/** Whether the metadata of the provider have another issuer than it was looked up by. */
export function isNamedOtherwise(error: unknown): boolean {
  return partsOf(error).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
}

/** The same issuer with a slash at its end, or without. Providers differ in it, and both look up the same metadata. */
export const withOtherSlash = (issuer: string): string =>
  issuer.endsWith('/') ? issuer.replace(/\/+$/, '') : `${issuer}/`;

/** Both names of the provider, for the log. */
export function namesIn(error: unknown, issuer: string): string {
  const { body } = partsOf(error instanceof Error ? error.cause : undefined);
  const { issuer: own } = partsOf(body);
  return `OIDC_ISSUER is ${issuer}, and the provider calls itself ${typeof own === 'string' ? own.slice(0, 300) : 'otherwise'}`;
}

/** The facts about a failure for the log: codes and sentences of the library, and no answer of the provider. */
export function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, error: named } = partsOf(error);
  const also = [code, named].filter((part) => typeof part === 'string').map((part) => String(part).slice(0, 100));
  const cause = error.cause instanceof Error ? ` (${detailOf(error.cause)})` : claimIn(error.cause);
  return `${[error.message.slice(0, 200), ...also].join(', ')}${cause}`;
}

/** The claim or attribute that was not as expected; never the token that has it. */
function claimIn(cause: unknown): string {
  const { claim, attribute, status } = partsOf(cause);
  const named = [claim, attribute].find((part) => typeof part === 'string');
  if (named !== undefined) return ` (${String(named).slice(0, 60)})`;
  return typeof status === 'number' ? ` (status ${status})` : '';
}

const partsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(partNames.map((name) => [name, Reflect.get(value, name)]))
    : {};

const partNames = ['code', 'error', 'body', 'issuer', 'claim', 'attribute', 'status'];
