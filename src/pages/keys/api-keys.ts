import type { z } from 'zod';
import { agentList } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { keyCreated, keyList, keyNamespaces, keyRevoked } from '../../../contracts/keys.js';
import { agentListOperation } from '../../api/agents/agents.js';
import { keyBindOperation, keyCreateOperation, keyListOperation, keyRevokeOperation } from '../../api/keys/keys.js';
import { titleOf } from '../agents/agent.js';
import { ask } from '../ask.js';
import { counted } from '../components/counted.js';
import { facts } from '../components/facts.js';
import { identity } from '../components/identity.js';
import { done, empty, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { pager, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import { findIn, olderAt, pageQuery } from '../lists.js';
import { defaultOf, namespacesOf } from '../namespaces/all.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { bodyOf, draftIn, type KeyDraft, keyForm, madePage, mayWords } from './form.js';
import { oneKeyPage } from './one-key.js';
import { keyRows } from './rows.js';

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
  const first: KeyDraft = { name: '', access: 'write', namespaces: defaultOf(all), find: '' };
  return {
    status: refusal?.status ?? 200,
    title: 'Keys',
    main: html`${pageTop({ title: 'Keys', lead: 'Programs use API keys, and agents in MCP clients use agent keys. Each key is limited to namespaces, and ends with the next request after it is revoked.' })}
${done(request.query.has('revoked') ? 'The key was revoked.' : undefined)}
<section><h2>API keys</h2>
${keys.data.length === 0 ? empty('There is no API key yet.', html`<a class="button second" href="#make">Make one</a>`) : keyRows(keys.data, { path, namespaces: all, now: request.now, end: pager(counted(keys.data.length, 'key', 'keys'), olderAt(path, keys.next_cursor)) })}</section>
<section><h2>Agents</h2>
<p class="hint">Each agent that is linked to the workspace has keys of its own, with which it calls over MCP.</p>
${agents.data.length === 0 ? empty('No agent is linked yet.', html`<a class="button second" href="/agents#link">Link one</a>`) : agentRows(agents)}</section>
<section class="narrow-form"><h2>Make an API key</h2>
${keyForm({ action: path, token: request.token, once: parts.services.writing.world.id(), kind: 'API keys', draft: draft ?? first, all, sentence: refusal && sentenceOf(refusal) })}</section>`,
  };
}

/** When a key was last used, as a fact. */
export const lastUseOf = (at: string | null, now: number): Html | string => (at === null ? 'never' : time(at, now));

/** The agents, each of which leads to its keys. */
function agentRows({ data, next_cursor: next }: z.output<typeof agentList>): Html {
  return table({
    caption: 'Agents, those that were linked last first',
    columns: [
      { name: 'Agent', look: 'wide-cell' },
      { name: 'Identity', look: 'not-on-phones' },
      { name: 'Keys', look: 'number' },
    ],
    rows: data.map((agent) => ({
      cells: [
        html`<a class="whole" href="${path}/agents/${agent.id}">${said(titleOf(agent))}</a>`,
        identity(agent.agent_id),
        agent.keys ?? 0,
      ],
    })),
    end: pager(counted(data.length, 'agent', 'agents'), olderAt(path, next, 'agents')),
  });
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
    above: [['Keys', path]],
    name: key.name,
    facts: facts([
      ['May', mayWords(key.scopes, null)],
      key.user_id !== null && ['Person', said(key.user_id)],
      key.agent_id !== null && ['Agent', said(key.agent_id)],
      key.app_id !== null && ['Program', said(key.app_id)],
      ['Made', time(key.created_at, request.now)],
      ['Last used', lastUseOf(key.last_used_at, request.now)],
    ]),
    token: request.token,
    isBound: query.has('bound') && !wasSent,
    refusal,
    all: await namespacesOf(request, parts),
    chosen: wasSent ? form.all('namespace') : key.namespace_ids,
    find: form.one('find'),
  });
}
