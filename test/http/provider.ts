import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { listen } from '../anchoring/http.js';

/** How the provider of a test behaves at the moment. */
export interface Behaviour {
  account: { email?: string; email_verified?: boolean };
  /** Claims that its ID tokens have instead of the right ones. */
  claims: Record<string, unknown>;
  down: boolean;
  /** Whether what it says of itself leaves out where to sign in. */
  speechless: boolean;
}

interface Context {
  oidc: { client: { clientId: string }; session: { accountId: string } };
}

/** A real OpenID provider on this machine, at which everybody is whom `behaviour` says without being asked. */
export async function startProvider(callback: string) {
  const behaviour: Behaviour = { account: {}, claims: {}, down: false, speechless: false };
  let handle = (_request: IncomingMessage, response: ServerResponse) => void response.end();
  const server = await listen(createServer((request, response) => handle(request, response)));
  const issuer = server.url.replace(/\/$/, '');
  const provider: Provider = new Provider(issuer, {
    clients: [{ client_id: 'counterfoil', client_secret: 'a secret of the client', redirect_uris: [callback] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key for cookies'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/login' },
    findAccount: (_context: Context, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...behaviour.account }),
    }),
    async loadExistingGrant({ oidc }: Context) {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const serve = provider.callback();
  handle = (request, response) => {
    if (behaviour.down) return void request.socket.destroy();
    if (behaviour.speechless) {
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer }));
    }
    if (request.url === '/login') {
      return void provider.interactionFinished(request, response, { login: { accountId: 'somebody' } });
    }
    if (request.url === '/token') withClaims(response, behaviour.claims);
    void serve(request, response);
  };
  return { issuer, behaviour, close: () => server.close() };
}

/** Puts claims into the ID token on its way. From the token endpoint it is believed for the connection, not its signature. */
function withClaims(response: ServerResponse, claims: Record<string, unknown>): void {
  const end = response.end.bind(response);
  response.end = (body: unknown) => {
    const sent = JSON.parse(String(body));
    const [header, payload, signature] = String(sent.id_token).split('.');
    if (payload !== undefined) {
      const all = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims };
      sent.id_token = [header, Buffer.from(JSON.stringify(all)).toString('base64url'), signature].join('.');
    }
    response.removeHeader('content-length');
    return end(JSON.stringify(sent));
  };
}
