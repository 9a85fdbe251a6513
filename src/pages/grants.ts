import type { z } from 'zod';
import { Refusal } from '../../contracts/errors.js';
import { grantList, grantRevoked } from '../../contracts/grants.js';
import { grantListOperation, grantRevokeOperation } from '../api/grants/grants.js';
import { ask } from './ask.js';
import { hidden } from './components/fields.js';
import { done, empty, problem, sentenceOf } from './components/messages.js';
import { pageTop } from './components/page-top.js';
import { time } from './components/time.js';
import { type Html, html } from './html.js';
import { older, pageQuery } from './lists.js';
import { namesOf, namespacesOf } from './namespaces/all.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from './page.js';

type Grant = z.output<typeof grantList>['data'][number];

const path = '/grants';

/** The programs that people have connected, and the end of their access. */
export const grantsPage: PersonPage = {
  path,
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => overview(request, parts, null),
  async submit(request, parts) {
    try {
      const params = { grant_id: request.form.one('grant_id') };
      await ask(grantRevoked, grantRevokeOperation, request, { params }, parts);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return overview(request, parts, error);
      throw error;
    }
    return { location: `${path}?revoked` };
  },
};

async function overview(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { query, visitor } = request;
  const grants = await ask(grantList, grantListOperation, request, { query: pageQuery(request) }, parts);
  const all = await namespacesOf(request, parts);
  const seesAll = ['owner', 'admin'].includes(visitor.session.person.role);
  const cards = grants.data.map((grant) => card(grant, namesOf(all, grant.namespace_ids), request));
  const none = empty(
    'No program is connected yet. A program that speaks MCP asks for a grant when it connects.',
    parts.memoryApi && visitor.session.person.role !== 'reader'
      ? html`<a class="button second" href="/connect">Connect a program</a>`
      : undefined,
  );
  return {
    status: refusal?.status ?? 200,
    title: 'Grants',
    main: html`${pageTop({ title: 'Grants', lead: `${seesAll ? 'The programs that people of this workspace have connected.' : 'The programs that you have connected to this workspace.'} A grant that is revoked holds for no further request.` })}
${problem(refusal && sentenceOf(refusal))}${done(query.has('revoked') && !refusal ? 'The grant was revoked.' : undefined)}
<section><h2>Connected programs</h2>
${cards.length === 0 ? none : html`<ul class="cards">${cards}</ul>`}
${older(path, grants.next_cursor)}</section>`,
  };
}

function card(grant: Grant, namespaces: Html, { token, now }: PersonRequest): Html {
  const { id, client_name, redirect_host, agent_id, person, created_at, expires_at, last_used_at } = grant;
  return html`<li class="card"><p>${client_name === null ? 'A program that gives no name' : html`<q><bdi>${client_name}</bdi></q>`}</p>
<dl class="facts">
<div><dt>Connected at</dt><dd><bdi>${redirect_host}</bdi></dd></div>
<div><dt>By</dt><dd><bdi>${person.email}</bdi>, ${time(created_at, now)}</dd></div>
<div><dt>May</dt><dd>${scopeWords(grant.scopes)} in ${namespaces}</dd></div>
<div><dt>Agent</dt><dd>${agent_id === null ? 'none' : html`<code>${agent_id}</code>`}</dd></div>
<div><dt>Last used</dt><dd>${last_used_at === null ? 'never' : time(last_used_at, now)}</dd></div>
<div><dt>Ends</dt><dd>${time(expires_at, now)}</dd></div>
</dl>
<form method="post" action="${path}" class="inline">${hidden('token', token)}${hidden('grant_id', id)}
<p class="actions"><button class="danger">Revoke the grant</button></p></form></li>`;
}

function scopeWords(scopes: Grant['scopes']): string {
  const [reads, writes] = [scopes.includes('memory.read'), scopes.includes('memory.write')];
  if (reads || writes) return reads && writes ? 'read and write' : reads ? 'read' : 'write';
  return 'connect, and neither read nor write,';
}
