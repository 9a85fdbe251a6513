import { ask } from './ask.js';
import type { Reply, Service } from './service.js';

/** A person with a browser: what they were given as cookies they send back. */
export interface Person {
  readonly cookie: () => string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply & Cookies>;
}

export interface Cookies {
  readonly cookies: readonly string[];
  readonly headers: Headers;
}

export function browser(service: Service): Person {
  let cookie = '';
  return {
    cookie: () => cookie,
    async call(method, path, body, headers = {}) {
      const reply = await ask(service.app.server.listeningOrigin, method, path, {
        headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const cookies = reply.headers.getSetCookie();
      const [given] = cookies.map((one) => one.split(';')[0] ?? '');
      if (given !== undefined) cookie = given.endsWith('=') ? '' : given;
      return { ...reply, cookies };
    },
  };
}

/** Someone who has signed in. */
export async function signedIn(service: Service, who: { email: string; password: string }): Promise<Person> {
  const person = browser(service);
  const reply = await person.call('POST', '/v1/session', who);
  if (reply.status !== 200) throw new Error(`no one can sign in as ${who.email}: ${reply.text}`);
  return person;
}
