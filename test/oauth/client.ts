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
      const response = await fetch(url, { redirect: 'manual', headers: { cookie: this.#cookiesFor(url.pathname) } });
      for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
      const location = response.headers.get('location');
      const answer = await answered(response);
      if (location === null) return { answer };
      url = new URL(location, url);
      if (url.origin !== origin) return { sentTo: url, answer };
    }
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

/** Registers a client, sends a browser through the question, and exchanges the code. */
export async function authorizedClient(origin: string, metadata: object = {}) {
  const redirect = 'http://127.0.0.1:33418/callback';
  const registered = await register(origin, {
    redirect_uris: [redirect],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    ...metadata,
  });
  const clientId: string = registered.json.client_id;
  const { verifier, challenge } = proofKey();
  const asking = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state',
  });
  const { sentTo } = await new Browser().follow(`${origin}/oauth/authorize?${asking}`);
  const code = sentTo?.searchParams.get('code') ?? '';
  const exchange = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_id: clientId,
    redirect_uri: redirect,
  };
  return { clientId, sentTo, exchange, tokens: await postForm(`${origin}/oauth/token`, exchange) };
}
