import type { z } from 'zod';
import { agentList } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { keyCreated, keyList, keyNamespaces, keyRevoked } from '../../../contracts/keys.js';
import { agentListOperation } from '../../api/agents/agents.js';
import { keyBindOperation, keyCreateOperation, keyListOperation, keyRevokeOperation } from '../../api/keys/keys.js';
import { ask } from '../ask.js';
import { done, sentenceOf } from '../components/messages.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import { findIn, older, pageQuery } from '../lists.js';
import { defaultOf, namesOf, namespacesOf } from '../namespaces/all.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { bodyOf, draftIn, type KeyDraft, keyForm, madePage, mayWords } from './form.js';
import { oneKeyPage } from './one-key.js';

const path = '/keys';

/** The API keys of the workspace and its agents, and the form that makes a key. */
export const keysPage: PersonPage = {
  path,
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => overview(request, parts, { draft: null, refusal: null }),
  async submit(request, parts) {
    const { form } = request;
    const draft = draftIn(form);
    if (form.one('do') === 'find') return overview(request, parts, { draft, refusal: null });
    try {
      const given = { body: bodyOf(draft), idempotencyKey: form.one('once') };
      const { key, name } = await ask(keyCreated, keyCreateOperation, request, given, parts);
      return madePage({ title: `The API key “${name}”`, secret: key, use: useOf, back: path });
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return overview(request, parts, { draft, refusal: error });
      throw error;
    }
  },
};

const useOf = html`<p>A program sends it with each request: <code>Authorization: Bearer ak_…</code>. See <a href="/developers/guides/people-and-keys">People and keys</a>.</p>`;

interface Making {
  readonly draft: KeyDraft | null;
  readonly refusal: Refusal | null;
}

async function overview(request: PersonRequest, parts: PageParts, { draft, refusal }: Making): Promise<Shown> {
  const keys = await ask(keyList, keyListOperation, request, { query: pageQuery(request) }, parts);
  const agents = await ask(agentList, agentListOperation, request, { query: pageQuery(request, 'agents') }, parts);
  const all = await namespacesOf(request, parts);
  const empty: KeyDraft = { name: '', access: 'write', namespaces: defaultOf(all), find: '' };
  return {
    status: refusal?.status ?? 200,
    title: 'Keys',
    main: html`<div class="wide">
<h1>Keys</h1>
<p class="lead">Programs use API keys, and agents in MCP clients use agent keys. Each key is limited to namespaces, and ends with the next request after it is revoked.</p>
${done(request.query.has('revoked') ? 'The key was revoked.' : undefined)}
<section><h2>API keys</h2>
${keys.data.length === 0 ? html`<p class="hint">There are none.</p>` : html`<ul class="cards">${keys.data.map((key) => card({ ...key, to: `${path}/${key.key_id}`, namespaces: namesOf(all, key.namespace_ids), now: request.now }))}</ul>`}
${older(path, keys.next_cursor)}</section>
<section><h2>Agents</h2>
<p class="hint">Each agent that is linked to the workspace has keys of its own, with which it calls over MCP.</p>
${agents.data.length === 0 ? html`<p class="hint">No agent is linked. <a href="/agents#link">Link one</a>.</p>` : html`<ul class="cards">${agents.data.map(agentCard)}</ul>`}
${older(path, agents.next_cursor, 'agents')}</section>
<section class="narrow-form"><h2>Make an API key</h2>
${keyForm({ action: path, token: request.token, once: parts.services.writing.world.id(), kind: 'API keys', draft: draft ?? empty, all, sentence: refusal && sentenceOf(refusal) })}</section>
</div>`,
  };
}

interface Listed {
  readonly to: string;
  readonly namespaces: Html;
  readonly now: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** A key in the list. @param now the moment at which the page is made, in milliseconds */
export function card({ to, name, scopes, created_at, last_used_at: used, namespaces, now }: Listed): Html {
  return html`<li class="card"><p><a href="${to}"><bdi>${name}</bdi></a></p>
<p class="hint">May ${mayWords(scopes, namespaces)}. Made ${time(created_at, now)}.${used === null ? ' Never used.' : html` Last used ${time(used, now)}.`}</p></li>`;
}

/** When a key was last used, as a fact. */
export const lastUseOf = (at: string | null, now: number): Html | string => (at === null ? 'never' : time(at, now));

function agentCard({ id, agent_id, handle, name }: z.output<typeof agentList>['data'][number]): Html {
  const title = name ?? handle;
  if (title === null)
    return html`<li class="card"><p><a href="${path}/agents/${id}"><code>${agent_id}</code></a></p></li>`;
  return html`<li class="card"><p><a href="${path}/agents/${id}"><bdi>${title}</bdi></a></p>
<p class="hint">${handle === null ? undefined : html`<bdi>${handle}</bdi> · `}<code>${agent_id}</code></p></li>`;
}

/** One API key. */
export const keyPage: PersonPage = {
  path: `${path}/:key_id`,
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => oneKey(request, parts, null),
  async submit(request, parts) {
    const { form, params } = request;
    const act = form.one('do');
    try {
      if (act === 'bind') {
        const body = JSON.stringify({ namespace_ids: form.all('namespace') });
        await ask(keyNamespaces, keyBindOperation, request, { params, body }, parts);
        return { location: `${request.path}?bound` };
      }
      if (act === 'revoke') {
        await ask(keyRevoked, keyRevokeOperation, request, { params }, parts);
        return { location: `${path}?revoked` };
      }
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.status !== 404) return oneKey(request, parts, error);
      throw error;
    }
    return oneKey(request, parts, null);
  },
};

async function oneKey(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<PageAnswer> {
  const { params, form, query } = request;
  const isIt = (one: z.output<typeof keyList>['data'][number]) => one.key_id === params.key_id;
  const key = await findIn(keyList, keyListOperation, request, { params: {}, isIt }, parts);
  if (!key) throw new Refusal('key_not_found');
  const wasSent = form.one('do') !== '';
  return oneKeyPage({
    path: request.path,
    back: path,
    name: key.name,
    facts: html`<dl class="facts">
<div><dt>May</dt><dd>${mayWords(key.scopes, null)}</dd></div>
${key.user_id === null ? undefined : html`<div><dt>Person</dt><dd><bdi>${key.user_id}</bdi></dd></div>`}
${key.agent_id === null ? undefined : html`<div><dt>Agent</dt><dd><bdi>${key.agent_id}</bdi></dd></div>`}
${key.app_id === null ? undefined : html`<div><dt>Program</dt><dd><bdi>${key.app_id}</bdi></dd></div>`}
<div><dt>Made</dt><dd>${time(key.created_at, request.now)}</dd></div>
<div><dt>Last used</dt><dd>${lastUseOf(key.last_used_at, request.now)}</dd></div>
</dl>`,
    token: request.token,
    isBound: query.has('bound') && !wasSent,
    refusal,
    all: await namespacesOf(request, parts),
    chosen: wasSent ? form.all('namespace') : key.namespace_ids,
    find: form.one('find'),
  });
}
