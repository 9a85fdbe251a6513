import type { Service } from '../http/service.js';
import { postForm, proofKey, register } from '../oauth/client.js';
import type { Reader } from './reader.js';

/** A client that has sent a browser to the service, which asks the person now. */
export interface Asking {
  readonly clientId: string;
  /** The path of the question. */
  readonly consent: string;
  /** Sends the browser back to the client, from the page that answers the form. @returns the parameters at the client */
  back(reader: Reader, page: { readonly text: string }): Promise<URLSearchParams>;
  /** Exchanges the code for tokens. */
  tokens(code: string): ReturnType<typeof postForm>;
}

export const redirect = 'http://127.0.0.1:33418/callback';

export async function asking(
  { app }: Service,
  reader: Reader,
  {
    scope,
    answer = redirect,
    ...metadata
  }: { scope?: string; answer?: string; client_name?: string; client_uri?: string } = {},
): Promise<Asking> {
  const origin = app.server.listeningOrigin;
  const client = { redirect_uris: [answer], token_endpoint_auth_method: 'none', ...metadata };
  const clientId: string = (await register(origin, client)).json.client_id;
  const { verifier, challenge } = proofKey();
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: answer,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state',
    ...(scope === undefined ? {} : { scope }),
  });
  const sent = await reader.get(`/oauth/authorize?${query}`);
  const consent = pathOf(sent.headers.get('location'));
  return {
    clientId,
    consent,
    async back(by, { text }) {
      const [, location = ''] = /<meta http-equiv="refresh" content="0;url=([^"]+)">/.exec(text) ?? [];
      if (!text.includes(`href="${location}">Continue`)) throw new Error('the page has no link to continue with');
      const last = await by.get(pathOf(location));
      const target = new URL(last.headers.get('location') ?? '');
      if (`${target.origin}${target.pathname}` !== redirect) throw new Error(`the browser was sent to ${target}`);
      return target.searchParams;
    },
    tokens: (code) =>
      postForm(`${origin}/oauth/token`, {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        client_id: clientId,
        redirect_uri: redirect,
      }),
  };
}

/** The address without its origin: the service of a test has another one than its BASE_URL. */
function pathOf(location: string | null): string {
  const { pathname, search } = new URL(location ?? '', 'http://service.example');
  return `${pathname}${search}`;
}
