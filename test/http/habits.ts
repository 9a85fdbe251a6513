import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { listen } from '../anchoring/http.js';

/** The ways in which providers differ. */
export interface Habits {
  /** The path that its name ends with: with a slash at its end, or without. */
  readonly name: string;
  readonly inToken: Readonly<Record<string, unknown>>;
  readonly inUserinfo: Readonly<Record<string, unknown>>;
  readonly delayMs: number;
}

/** A small provider with habits that may change, at which everybody signs in without being asked. */
export async function startHabits(clientId: string) {
  const plain: Habits = { name: '/realms/a', inToken: {}, inUserinfo: {}, delayMs: 0 };
  let habits = plain;
  let key = await newKey(1);
  let made = 1;
  const nonces = new Map<string, string>();
  const server = await listen(createServer((request, response) => void answer(request, response)));
  const origin = server.url.replace(/\/$/, '');

  const tokenOf = (code: string) =>
    new SignJWT({ nonce: nonces.get(code), ...habits.inToken })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid })
      .setIssuer(`${origin}${habits.name}`)
      .setSubject('someone')
      .setAudience(clientId)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(key.privateKey);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    const send = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (habits.delayMs > 0) await new Promise((next) => setTimeout(next, habits.delayMs));
    if (pathname.endsWith('/openid-configuration')) return void send(metadata());
    if (pathname === '/keys') return void send({ keys: [key.jwk] });
    if (pathname === '/userinfo') return void send({ sub: 'someone', ...habits.inUserinfo });
    if (pathname === '/authorize') {
      const code = `code-${nonces.size}`;
      nonces.set(code, searchParams.get('nonce') ?? '');
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
      return void response.writeHead(302, { location: back.href }).end();
    }
    const sent = new URLSearchParams(await textOf(request));
    send({ access_token: 'a token', token_type: 'Bearer', id_token: await tokenOf(sent.get('code') ?? '') });
  }

  const metadata = () => ({
    issuer: `${origin}${habits.name}`,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
    userinfo_endpoint: `${origin}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });

  return {
    origin,
    has(some: Partial<Habits>): void {
      habits = { ...plain, ...some };
    },
    async rotateKeys(): Promise<void> {
      made += 1;
      key = await newKey(made);
    },
    close: () => server.close(),
  };
}

async function newKey(number: number) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = `key-${number}`;
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}
