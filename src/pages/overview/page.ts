import { Refusal } from '../../../contracts/errors.js';
import { memoryList } from '../../../contracts/memory-list.js';
import { memoryListOperation } from '../../api/memories/list.js';
import { ask } from '../ask.js';
import { pageTop } from '../components/page-top.js';
import { html } from '../html.js';
import type { OpenPage, PageParts, PersonRequest, Shown } from '../page.js';
import { part } from './part.js';
import { failedImports, log, newest, refusedWebhooks, used, waiting, warnings } from './parts.js';
import { type Step, steps, tour } from './tour.js';
import { welcomePage } from './welcome.js';

/** The first page of the service: for an outsider what it is, for a person who is signed in what there is to do. */
export const overviewPage: OpenPage = {
  path: '/',
  access: 'anyone',
  async show(request, parts) {
    const { visitor } = request;
    if (visitor === null) return welcomePage(request, parts);
    return overview({ ...request, visitor, token: '' }, parts);
  },
};

/** An address of earlier versions of the documentation. */
export const consolePage: OpenPage = {
  path: '/console',
  access: 'anyone',
  show: async () => ({ location: '/' }),
};

async function overview(request: PersonRequest, parts: PageParts): Promise<Shown> {
  const { role, workspace } = request.visitor.session.person;
  if (role === 'none') throw new Refusal('workspace_role_required');
  const left = request.query.get('step') === 'left';
  const step = left ? null : await stepOf(request, parts);
  const runs = role === 'owner' || role === 'admin';
  return {
    status: 200,
    title: 'Overview',
    ...(left && { headers: { 'set-cookie': leftCookie } }),
    main: html`${pageTop({ title: html`Overview <small><bdi>${workspace}</bdi></small>` })}
${role === 'reader' && html`<p class="hint">You can read here. An owner or an admin can let you write.</p>`}
${step && (await tour(step, request, parts))}
${runs && (await part('The service says', () => warnings(parts)))}
${parts.memoryApi && (await part('Waiting', () => waiting(request, parts)))}
${parts.memoryApi && (await part('Failed imports', () => failedImports(request, parts)))}
${runs && parts.memoryApi && (await part('Webhooks', () => refusedWebhooks(request, parts)))}
${await part('Plan', () => used(request, parts))}
${await part('Newest receipts', () => newest(request, parts))}
${await part('The log', () => log(request, parts))}`,
  };
}

const leftCookie = 'tour=left; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax';

/** The step of the tour that the address names. Without one a workspace without a memory begins with the first, unless the person has left the tour. */
async function stepOf(request: PersonRequest, parts: PageParts): Promise<Step | null> {
  const { query, visitor, exchange } = request;
  if (visitor.session.person.role === 'reader' || !parts.memoryApi) return null;
  const named = steps.find((one) => one === query.get('step'));
  if (named !== undefined) return named;
  const hasLeft = /(?:^|;\s*)tour=left(?:;|$)/.test(exchange.request.headers.cookie ?? '');
  return hasLeft || (await hasMemory(request, parts)) ? null : 'write';
}

/** Where it cannot be known the tour is not shown. */
async function hasMemory(request: PersonRequest, parts: PageParts): Promise<boolean> {
  try {
    const { data } = await ask(memoryList, memoryListOperation, request, { query: { limit: '1' } }, parts);
    return data.length > 0;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}
