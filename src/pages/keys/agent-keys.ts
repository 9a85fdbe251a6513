import type { z } from 'zod';
import { agentKeyCreated, agentKeyList } from '../../../contracts/agent-keys.js';
import { agentList } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { keyNamespaces, keyRevoked } from '../../../contracts/keys.js';
import {
  agentKeyBindOperation,
  agentKeyCreateOperation,
  agentKeyListOperation,
  agentKeyRevokeOperation,
} from '../../api/agent-keys/agent-keys.js';
import { agentListOperation } from '../../api/agents/agents.js';
import { ask } from '../ask.js';
import { copied } from '../components/copied.js';
import { counted } from '../components/counted.js';
import { facts } from '../components/facts.js';
import { identity } from '../components/identity.js';
import { done, empty, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { pager } from '../components/table.js';
import { time } from '../components/time.js';
import { html } from '../html.js';
import { findIn, olderAt, pageQuery } from '../lists.js';
import { defaultOf, namespacesOf } from '../namespaces/all.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { lastUseOf } from './api-keys.js';
import { bodyOf, draftIn, type KeyDraft, keyForm, madePage, mayWords } from './form.js';
import { oneKeyPage } from './one-key.js';
import { keyRows } from './rows.js';

/** An agent of the workspace with its keys, and the form that makes one. */
export const agentKeysPage: PersonPage = {
  path: '/keys/agents/:link_id',
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => overview(request, parts, { draft: null, refusal: null }),
  async submit(request, parts) {
    const { form, params } = request;
    const draft = draftIn(form);
    if (form.one('do') === 'find') return overview(request, parts, { draft, refusal: null });
    try {
      const given = { params, body: bodyOf(draft), idempotencyKey: form.one('once') };
      const { key, name } = await ask(agentKeyCreated, agentKeyCreateOperation, request, given, parts);
      return madePage({ title: `The agent key “${name}”`, secret: key, use: useOf, back: request.path });
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.code !== 'agent_not_found')
        return overview(request, parts, { draft, refusal: error });
      throw error;
    }
  },
};

const useOf = html`<p>An MCP client sends it to <code>/mcp</code> with each request: <code>Authorization: Bearer agk_…</code>.</p>`;

interface Making {
  readonly draft: KeyDraft | null;
  readonly refusal: Refusal | null;
}

async function overview(request: PersonRequest, parts: PageParts, { draft, refusal }: Making): Promise<Shown> {
  const { path, params, token } = request;
  const agent = await agentOf(request, parts);
  const keys = await ask(agentKeyList, agentKeyListOperation, request, { params, query: pageQuery(request) }, parts);
  const all = await namespacesOf(request, parts);
  const first: KeyDraft = { name: '', access: 'write', namespaces: defaultOf(all), find: '' };
  return {
    status: refusal?.status ?? 200,
    title: `Keys of ${agent.title}`,
    main: html`${pageTop({ above: [['Keys', '/keys']], title: said(agent.title), lead: html`${copied(identity(agent.agent_id), agent.agent_id)} <a href="/agents/${params.link_id}">About this agent</a>` })}
${done(request.query.has('revoked') ? 'The key was revoked.' : undefined)}
<section><h2>Agent keys</h2>
${keys.data.length === 0 ? empty('The agent has no key yet, so it cannot call.', html`<a class="button second" href="#make">Make one</a>`) : keyRows(keys.data, { path, namespaces: all, now: request.now, end: pager(counted(keys.data.length, 'key', 'keys'), olderAt(path, keys.next_cursor)) })}</section>
<section class="narrow-form"><h2>Make an agent key</h2>
<p class="hint">With it, an MCP client calls as this agent.</p>
${keyForm({ action: path, token, once: parts.services.writing.world.id(), kind: 'agent keys', draft: draft ?? first, all, sentence: refusal && sentenceOf(refusal) })}</section>`,
  };
}

/** @throws Refusal agent_not_found */
async function agentOf(request: PersonRequest, parts: PageParts) {
  const isIt = ({ id }: z.output<typeof agentList>['data'][number]) => id === request.params.link_id;
  const agent = await findIn(agentList, agentListOperation, request, { params: {}, isIt }, parts);
  if (!agent) throw new Refusal('agent_not_found');
  return { agent_id: agent.agent_id, title: agent.name ?? agent.handle ?? agent.agent_id };
}

/** One key of an agent. */
export const agentKeyPage: PersonPage = {
  path: '/keys/agents/:link_id/:key_id',
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => oneKey(request, parts, null),
  async submit(request, parts) {
    const { form, params } = request;
    const act = form.one('do');
    try {
      if (act === 'bind') {
        const body = JSON.stringify({ namespace_ids: form.all('namespace') });
        await ask(keyNamespaces, agentKeyBindOperation, request, { params, body }, parts);
        return { location: `${request.path}?bound` };
      }
      if (act === 'revoke') {
        await ask(keyRevoked, agentKeyRevokeOperation, request, { params }, parts);
        return { location: `${backOf(request)}?revoked` };
      }
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.status !== 404) return oneKey(request, parts, error);
      throw error;
    }
    return oneKey(request, parts, null);
  },
};

const backOf = ({ params: { link_id = '' } }: PersonRequest) => `/keys/agents/${encodeURIComponent(link_id)}`;

async function oneKey(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<PageAnswer> {
  const { params, form, query } = request;
  const isIt = (one: z.output<typeof agentKeyList>['data'][number]) => one.key_id === params.key_id;
  const key = await findIn(agentKeyList, agentKeyListOperation, request, { params, isIt }, parts);
  if (!key) throw new Refusal('key_not_found', 'This agent has no key with that id.');
  const wasSent = form.one('do') !== '';
  return oneKeyPage({
    path: request.path,
    above: [
      ['Keys', '/keys'],
      [said((await agentOf(request, parts)).title), backOf(request)],
    ],
    name: key.name,
    facts: facts([
      ['Agent', identity(key.agent_id, `/agents/${params.link_id}`)],
      ['May', mayWords(key.scopes, null)],
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
