import { createHash, randomBytes } from 'node:crypto';

/** The answer to a request of a client. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, and says what it must be
  readonly json: any;
}

async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text.startsWith('{') ? JSON.parse(text) : text };
}

export async function get(url: string, headers: Record<string, string> = {}): Promise<Answered> {
  return answered(await fetch(url, { headers, redirect: 'manual' }));
}

export async function register(origin: string, metadata: object): Promise<Answered> {
  const headers = { 'content-type': 'application/json' };
  return answered(await fetch(`${origin}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(metadata) }));
}

export async function postForm(
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answered> {
  return answered(await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) }));
}

/** A verifier of PKCE and its challenge. */
export function proofKey() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A browser: it keeps cookies by their path, and follows redirects within one origin. */
export class Browser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();

  /** @returns the address outside of the origin that it was sent to, or the last answer */
  async follow(address: string): Promise<{ readonly sentTo?: URL; readonly answer: Answered }> {
    const { origin } = new URL(address);
    for (let url = new URL(address); ; ) {
      const answer = await this.visit(url.href);
      const location = answer.headers.get('location');
      if (location === null) return { answer };
      url = new URL(location, url);
      if (url.origin !== origin) return { sentTo: url, answer };
    }
  }

  /** Opens an address and follows nothing. */
  async visit(address: string): Promise<Answered> {
    const headers = { cookie: this.#cookiesFor(new URL(address).pathname) };
    const response = await fetch(address, { redirect: 'manual', headers });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return answered(response);
  }

  get names(): readonly string[] {
    return [...this.#cookies.keys()].map((key) => key.split(' ')[0] ?? '');
  }

  #cookiesFor(path: string): string {
    const sent = [...this.#cookies].filter(([, cookie]) => `${path}/`.startsWith(cookie.path.replace(/\/?$/, '/')));
    return sent.map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ');
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(/;\s*/);
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
    if (value === '') this.#cookies.delete(`${name} ${path}`);
    else this.#cookies.set(`${name} ${path}`, { value, path });
  }
}

export const redirect = 'http://127.0.0.1:33418/callback';

const native = { redirect_uris: [redirect], token_endpoint_auth_method: 'none', application_type: 'native' };

/** A registered client with the verifier of its next request. */
export interface Client {
  readonly clientId: string;
  readonly secret: string | undefined;
  readonly verifier: string;
  /** The address that it sends a browser to; a parameter that is null is left out. */
  asks(parameters?: Record<string, string | null>): string;
  /** Exchanges a code. */
  exchange(code: string, form?: Record<string, string>): Promise<Answered>;
  refresh(token: string, form?: Record<string, string>): Promise<Answered>;
  revoke(token: string, form?: Record<string, string>): Promise<Answered>;
}

export async function newClient(origin: string, metadata: object = {}): Promise<Client> {
  const { json } = await register(origin, { ...native, ...metadata });
  return clientOf(origin, json.client_id, json.client_secret);
}

export function clientOf(origin: string, clientId: string, secret?: string): Client {
  const { verifier, challenge } = proofKey();
  const credential = { client_id: clientId, ...(secret !== undefined && { client_secret: secret }) };
  const post = (path: string, form: Record<string, string>) => postForm(`${origin}${path}`, { ...credential, ...form });
  return {
    clientId,
    secret,
    verifier,
    asks(parameters = {}) {
      const all: Record<string, string | null> = {
        client_id: clientId,
        redirect_uri: redirect,
        response_type: 'code',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state: 'a state',
        ...parameters,
      };
      const given = new URLSearchParams();
      for (const [name, value] of Object.entries(all)) if (value !== null) given.append(name, value);
      return `${origin}/oauth/authorize?${given}`;
    },
    exchange: (code, form = {}) =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirect,
        ...form,
      }),
    refresh: (token, form = {}) => post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...form }),
    revoke: (token, form = {}) => post('/oauth/revoke', { token, ...form }),
  };
}

/** Sends a new browser through the question, where the person allows it. @returns the code */
export async function codeFor(client: Client, parameters: Record<string, string | null> = {}): Promise<string> {
  const { sentTo, answer } = await new Browser().follow(client.asks(parameters));
  const code = sentTo?.searchParams.get('code');
  if (!code) throw new Error(`no code: ${sentTo} ${JSON.stringify(answer.json)}`);
  return code;
}

/** A client that a person has allowed, and its tokens. */
export async function allowedClient(origin: string, metadata: object = {}) {
  const client = await newClient(origin, metadata);
  const { status, json } = await client.exchange(await codeFor(client));
  if (status !== 200) throw new Error(JSON.stringify(json));
  return { client, access: String(json.access_token), refresh: String(json.refresh_token) };
}
