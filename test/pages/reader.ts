import { expect } from 'vitest';
import type { Service } from '../http/service.js';

/** A page as a browser without scripts has it: its status and headers, its text, and the fields of its forms. */
export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The hidden fields of the form that sends to this path. */
  hidden(action: string): Record<string, string>;
}

/** The address after a form, with the receipt of what the form has recorded. */
export function recordedAt(address: string): unknown {
  const escaped = address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return expect.stringMatching(new RegExp(`^${escaped}[?&]receipt=rcp_[0-9a-f]{32}$`));
}

/** A field may occur several times, as checked boxes do. */
type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A browser without scripts that keeps its cookies and follows nothing by itself. */
export interface Reader {
  readonly cookie: () => string;
  get(path: string, headers?: Record<string, string>): Promise<Page>;
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<Page>;
  /** Sends a form of a page with its hidden fields, as a person would. */
  send(from: string, action: string, fields?: Fields): Promise<Page>;
  /** Continues with the service after it was started again, with the cookies that it has. */
  continueAt(service: Service): void;
}

export function reader(service: Service): Reader {
  let origin = service.app.server.listeningOrigin;
  const jar = new Map<string, { readonly pair: string; readonly path: string }>();
  const cookiesFor = (path: string) =>
    [...jar.values()]
      .filter((one) => `${path.split('?')[0]}/`.startsWith(one.path.replace(/\/?$/, '/')))
      .map(({ pair }) => pair)
      .join('; ');
  async function open(path: string, init: RequestInit): Promise<Page> {
    const headers = { cookie: cookiesFor(path), ...init.headers };
    const reply = await fetch(`${origin}${path}`, { ...init, redirect: 'manual', headers });
    for (const one of reply.headers.getSetCookie()) {
      const [pair = ''] = one.split(';');
      const [, at = '/'] = /; path=([^;]*)/i.exec(one) ?? [];
      const name = `${pair.split('=')[0]} ${at}`;
      if (pair.endsWith('=')) jar.delete(name);
      else jar.set(name, { pair, path: at });
    }
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, hidden: (action) => hiddenIn(text, action) };
  }
  const body = (fields: Fields) => {
    const sent = new URLSearchParams();
    for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) sent.append(name, value);
    return sent;
  };
  const post: Reader['post'] = (path, fields, headers = {}) =>
    open(path, { method: 'POST', headers: { origin, ...headers }, body: body(fields) });
  const get: Reader['get'] = (path, headers = {}) => open(path, { headers });
  return {
    cookie: () => jar.get('service_session /')?.pair ?? '',
    get,
    post,
    async send(from, action, fields = {}) {
      const hidden = (await get(from)).hidden(action);
      return post(action, { ...hidden, ...fields });
    },
    continueAt(other) {
      origin = other.app.server.listeningOrigin;
    },
  };
}

export async function signedInReader(service: Service, who: { email: string; password: string }): Promise<Reader> {
  const one = reader(service);
  const { status } = await one.post('/sign-in', { email: who.email, password: who.password });
  if (status !== 303) throw new Error(`${who.email} cannot sign in: ${status}`);
  return one;
}

function hiddenIn(text: string, action: string): Record<string, string> {
  const form = [...text.matchAll(/<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(
    ([, to = '']) => unescaped(to) === action,
  );
  if (!form) throw new Error(`the page has no form that sends to ${action}`);
  const fields = [...(form[2] ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [unescaped(name), unescaped(value)]));
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');
}

/** The texts of the cells of the first row of a table that has a text. */
export function rowWith(text: string, { text: page }: Page): string[] {
  const [, body = ''] = /<tbody>(.*)<\/tbody>/s.exec(page) ?? [];
  const row = body.split('</tr>').find((one) => one.includes(text)) ?? '';
  return row.split('</td>').map((cell) => unescaped(cell.replace(/<[^>]*>/g, '')).trim());
}
