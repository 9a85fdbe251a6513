import { approval } from '../../../contracts/approvals.js';
import { Refusal } from '../../../contracts/errors.js';
import { memoryAccepted } from '../../../contracts/memory.js';
import { approvalGetOperation } from '../../api/approvals/approvals.js';
import { memoryAddOperation } from '../../api/memories/add.js';
import { ask } from '../ask.js';
import { hidden, selectField, textArea, textField } from '../components/fields.js';
import { notice, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';
import { defaultOf, namespacesOf } from '../namespaces/all.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';

const path = '/memories/new';

/** How long the answer waits for the memory to be found by searches, in seconds. */
const settleSeconds = 2;

interface Draft {
  readonly content: string;
  readonly namespace: string;
  readonly source: string;
  readonly approval: string;
  /** Whether it is a test memory. */
  readonly isTest: boolean;
}

/** The form in which a person writes a memory. */
export const addPage: PersonPage = {
  path,
  access: 'a person',
  ofMemoryApi: true,
  // A text of 1 MiB, of which each byte may take three in a form.
  formBytes: 3 * 1024 * 1024 + 64 * 1024,
  show: (request, parts) => writing(request, parts, { draft: draftOf(request), refusal: null }),
  async submit(request, parts) {
    const draft = draftOf(request);
    try {
      // A browser sends each break of lines as two characters.
      const content = draft.content.replaceAll('\r\n', '\n');
      const body = JSON.stringify({
        content,
        ...(draft.namespace !== '' && { namespace: draft.namespace }),
        ...(draft.source !== '' && { source: draft.source }),
        ...(draft.approval !== '' && { approval_id: draft.approval }),
        ...(draft.isTest && { playground: true }),
      });
      const given = { body, idempotencyKey: request.form.one('once'), settleSeconds };
      const { memory_id, duplicate } = await ask(memoryAccepted, memoryAddOperation, request, given, parts);
      if (draft.isTest && !duplicate) return { location: '/playground?written' };
      return { location: `/m/${memory_id}?${duplicate ? 'duplicate' : 'written'}` };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return writing(request, parts, { draft, refusal: error });
      throw error;
    }
  },
};

function draftOf({ form, query }: PersonRequest): Draft {
  const { one } = form;
  // The page of an approved write leads here with its id.
  const approved = /^apr_[0-9a-f]{32}$/.exec(query.get('approval') ?? '')?.[0] ?? '';
  const approval = one('approval') || approved;
  return {
    content: one('content'),
    namespace: one('namespace'),
    source: one('source') || (query.get('source') ?? ''),
    approval,
    isTest: query.has('test'),
  };
}

interface Writing {
  readonly draft: Draft;
  readonly refusal: Refusal | null;
}

async function writing(request: PersonRequest, parts: PageParts, { draft, refusal }: Writing): Promise<Shown> {
  const namespaces = await namespacesOf(request, parts);
  const [first = ''] = defaultOf(namespaces);
  const options = namespaces.map(({ id, name }) => [id, name] as const);
  const held = refusal?.code === 'approval_required' ? refusal.details.approval_id : undefined;
  const title = draft.isTest ? 'Write a test memory' : 'Add a memory';
  // A refused form is sent under another key: the service keeps the answer of the key that it has seen.
  const once = parts.services.writing.world.id();
  return {
    status: refusal?.status ?? 200,
    title,
    main: html`${pageTop({ above: [['Memories', '/memories'], ...(draft.isTest ? [['Playground', '/playground'] as const] : [])], title: draft.approval === '' ? title : 'Send the approved text' })}
${draft.approval !== '' && typeof held !== 'string' && (await approvedNotice(draft.approval, request, parts))}
${typeof held === 'string' ? notice(html`A rule of this workspace holds this text until an owner or admin has <a href="/approvals">decided</a>. The service keeps only its beginning, for those who decide, so leave this page open, or keep the text. Send it again from here when it is approved.`) : problem(refusal && sentenceOf(refusal))}
<form method="post" action="${path}${draft.isTest && '?test'}">${hidden('token', request.token)}${hidden('once', once)}${hidden('approval', typeof held === 'string' ? held : draft.approval)}
${textArea({ name: 'content', label: 'Text', value: draft.content, hint: 'A fact or a note in full sentences. Sensitive values are stored as [redacted].', more: html`rows="8" maxlength="1048576" required` })}
${namespaces.length > 1 ? selectField({ name: 'namespace', label: 'Namespace', value: draft.namespace || first, options }) : hidden('namespace', first)}
${textField({ name: 'source', label: 'Source', value: draft.source, hint: 'Where it is from, such as the name of a file or a chat. It may stay empty.', more: html`maxlength="512" autocomplete="off"` })}
<p class="actions"><button>${typeof held === 'string' ? 'Send it again' : draft.isTest ? 'Write the test memory' : 'Write the memory'}</button></p>
</form>`,
  };
}

/** The request that was approved, with which the person compares what they send. */
async function approvedNotice(id: string, request: PersonRequest, parts: PageParts): Promise<Html | undefined> {
  try {
    const { summary } = await ask(approval, approvalGetOperation, request, { params: { approval_id: id } }, parts);
    return notice(
      html`Text, source and namespace must be exactly those that were approved. If something differs, the service says what, and writes nothing. Approved was: ${said(summary)}`,
    );
  } catch (error) {
    if (error instanceof Refusal) return problem(sentenceOf(error));
    throw error;
  }
}
