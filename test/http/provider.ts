import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { listen } from '../anchoring/http.js';

/** How the provider of a test behaves at the moment. */
export interface Behaviour {
  account: { email?: string; email_verified?: boolean };
  /** Claims that its ID tokens have instead of the right ones. */
  claims: Record<string, unknown>;
  /** Whether someone else has signed its ID tokens. */
  forged: boolean;
  down: boolean;
  /** Whether what it says of itself leaves out where to sign in. */
  speechless: boolean;
}

/** A real OpenID provider on this machine, at which everybody is whom `behaviour` says without being asked. */
export async function startProvider(callback: string) {
  const behaviour: Behaviour = { account: {}, claims: {}, forged: false, down: false, speechless: false };
  const [own, strange] = [await generateKeyPair('RS256', { extractable: true }), await generateKeyPair('RS256')];
  const jwk = { ...(await exportJWK(own.privateKey)), ...signature, use: 'sig' };
  /** How the client has said who it is, the last time. */
  const seen = { authorization: '' };
  let handle = (_request: IncomingMessage, response: ServerResponse) => void response.end();
  const server = await listen(createServer((request, response) => handle(request, response)));
  const issuer = server.url.replace(/\/$/, '');
  const provider: Provider = new Provider(issuer, {
    clients: [{ client_id: 'counterfoil', client_secret: 'a secret of the client', redirect_uris: [callback] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key for cookies'] },
    jwks: { keys: [jwk] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/login' },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, ...behaviour.account }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
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
      return void provider.interactionFinished(request, response, { login: { accountId: 'someone' } });
    }
    if (request.url === '/token') {
      seen.authorization = request.headers.authorization ?? '';
      withClaims(response, behaviour.claims, behaviour.forged ? strange.privateKey : own.privateKey);
    }
    void serve(request, response);
  };
  return { issuer, behaviour, seen, close: () => server.close() };
}

/** Puts claims into the ID token on its way, and signs it again. */
function withClaims(response: ServerResponse, claims: Record<string, unknown>, key: CryptoKey): void {
  const end = response.end.bind(response);
  response.end = (body: unknown) => {
    void changed(String(body), claims, key).then((text) => {
      response.removeHeader('content-length');
      end(text);
    });
    return response;
  };
}

async function changed(body: string, claims: Record<string, unknown>, key: CryptoKey): Promise<string> {
  const sent = JSON.parse(body);
  const [, payload] = String(sent.id_token).split('.');
  if (payload === undefined) return body;
  const all = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims };
  return JSON.stringify({ ...sent, id_token: await new SignJWT(all).setProtectedHeader(signature).sign(key) });
}

const signature = { alg: 'RS256', kid: 'a key of the provider' };
