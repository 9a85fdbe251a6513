import type { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { memoryInvalidated } from '../../../contracts/invalidation.js';
import { memoryAccepted, memoryDeleted } from '../../../contracts/memory.js';
import { memoryAddOperation } from '../../api/memories/add.js';
import { memoryInvalidateOperation, memoryReinstateOperation } from '../../api/memories/invalidate.js';
import { memoryDeleteOperation } from '../../api/memories/one.js';
import { stringify } from '../../base/json-text.js';
import { ask } from '../ask.js';
import { hidden, textArea, textField } from '../components/fields.js';
import { question } from '../components/question.js';
import { listPlace, withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { memoryText, readMemory, type ShownMemory } from './one.js';

/** A page that asks before it changes a memory, and leads back to it. */
interface Change {
  readonly name: 'delete' | 'invalidate' | 'reinstate' | 'correct' | 'promote';
  readonly title: string;
  /** The effect of the change, in a sentence or more. */
  readonly lead?: string;
  readonly button: Html;
  readonly formBytes?: number;
  /** The memory, and the fields that the change needs. */
  asks(shown: ShownMemory, request: PersonRequest, refusal: Refusal | null): Promise<Html>;
  /** @returns where the browser continues. @throws Refusal as the API does */
  carryOut(id: string, request: PersonRequest, parts: PageParts): Promise<string>;
}

function changePage(change: Change): PersonPage {
  return {
    path: `/m/:memory_id/${change.name}`,
    access: 'a person',
    ofMemoryApi: true,
    ...(change.formBytes && { formBytes: change.formBytes }),
    show: (request, parts) => asking(change, request, parts, null),
    async submit(request, parts) {
      try {
        const location = await change.carryOut(request.params.memory_id ?? '', request, parts);
        return { location: withPlace(location, listPlace('/memories', request)) };
      } catch (error) {
        if (error instanceof Refusal && error.status < 500 && error.status !== 404)
          return asking(change, request, parts, error);
        throw error;
      }
    },
  };
}

async function asking(
  change: Change,
  request: PersonRequest,
  parts: PageParts,
  refusal: Refusal | null,
): Promise<Shown> {
  const shown = await readMemory(request, parts);
  const path = `/m/${shown.id}`;
  return question({
    title: change.title,
    ...(change.lead !== undefined && { lead: change.lead }),
    list: { name: 'Memories', path: '/memories', place: listPlace('/memories', request) },
    thing: { name: `…${shown.id.slice(-12)}`, path },
    refusal,
    action: `${path}/${change.name}`,
    token: request.token,
    asks: html`${hidden('once', parts.services.writing.world.id())}${await change.asks(shown, request, refusal)}`,
    button: change.button,
  });
}

function given<B extends object>(id: string, { form }: PersonRequest, body?: B) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return { params: { memory_id: id }, idempotencyKey: form.one('once'), ...sent };
}

const quoted = async ({ content }: ShownMemory) => html`<div class="card">${await memoryText(content)}</div>`;

export const deletePage = changePage({
  name: 'delete',
  title: 'Delete this memory?',
  lead: 'The text, the metadata and the key to both are destroyed, and no search finds them. The receipts of the write and of this delete stay. This cannot be undone.',
  button: html`<button class="danger">Delete the memory</button>`,
  asks: quoted,
  async carryOut(id, request, parts) {
    await ask(memoryDeleted, memoryDeleteOperation, request, { params: { memory_id: id } }, parts);
    return `/m/${id}?deleted`;
  },
});

export const invalidatePage = changePage({
  name: 'invalidate',
  title: 'Mark this memory as no longer valid',
  button: html`<button>Mark it as no longer valid</button>`,
  asks: async (shown, { form }) => html`${await quoted(shown)}
${textField({ name: 'reason', label: 'Why', value: form.one('reason'), hint: 'It stays beside the memory. Searches leave the memory out.', more: html`maxlength="1000" required autocomplete="off"` })}`,
  async carryOut(id, request, parts) {
    const sent = given(id, request, { reason: request.form.one('reason') });
    await ask(memoryInvalidated, memoryInvalidateOperation, request, sent, parts);
    return `/m/${id}?invalidated`;
  },
});

/** Writes the same text again as a real memory, with the same source and metadata: rules hold it as they would hold that write. */
export const promotePage = changePage({
  name: 'promote',
  title: 'Make this test memory a real one',
  button: html`<button>Make it a real memory</button>`,
  async asks(shown, { form }, refusal) {
    const held = refusal?.code === 'approval_required' ? refusal.details.approval_id : form.one('approval');
    return html`${await quoted(shown)}
<p class="lead">${shown.playground ? 'Lists and searches of all callers show it from then on. It keeps its id, its source, its metadata and its history, and a receipt records the change. This cannot be undone.' : 'This is a real memory already, so nothing would change.'}</p>
${typeof held === 'string' && held !== '' && html`${hidden('approval', held)}<p class="hint">When <a href="/approvals/${held}">the request</a> is approved, send this form again.</p>`}`;
  },
  async carryOut(id, request, parts) {
    const { content, namespace_id: namespace, source, metadata } = await readMemory(request, parts);
    const approval = request.form.one('approval');
    const body = stringify({ content, namespace, source, metadata, ...(approval !== '' && { approval_id: approval }) });
    const sent = { body, idempotencyKey: request.form.one('once') };
    const { promotion_receipt_id } = await ask(memoryAccepted, memoryAddOperation, request, sent, parts);
    return `/m/${id}?${promotion_receipt_id === undefined ? 'real' : 'promoted'}`;
  },
});

export const reinstatePage = changePage({
  name: 'reinstate',
  title: 'Make this memory valid again',
  button: html`<button>Make it valid again</button>`,
  asks: quoted,
  async carryOut(id, request, parts) {
    await ask(memoryInvalidated, memoryReinstateOperation, request, given(id, request), parts);
    return `/m/${id}?reinstated`;
  },
});

export const correctPage = changePage({
  name: 'correct',
  title: 'Correct this memory',
  lead: 'The corrected text becomes a memory of its own, and this one stays as no longer valid, so that the history can be followed.',
  button: html`<button>Write the corrected text</button>`,
  formBytes: 3 * 1024 * 1024 + 64 * 1024,
  asks: async (
    { content },
    { form },
  ) => html`${textArea({ name: 'content', label: 'Corrected text', value: form.one('content') || content, more: html`rows="8" maxlength="1048576" required` })}
${textField({ name: 'reason', label: 'Why', value: form.one('reason') || 'It was corrected.', more: html`maxlength="1000" required autocomplete="off"` })}`,
  carryOut: correct,
});

/**
 * Writes the corrected text beside the earlier one, then marks that one as replaced. A crash between the two leaves both valid: the
 * form, sent again, writes nothing twice and marks the earlier one.
 */
async function correct(id: string, request: PersonRequest, parts: PageParts): Promise<string> {
  const earlier = await readMemory(request, parts);
  const content = request.form.one('content').replaceAll('\r\n', '\n');
  const { namespace_id: namespace, source } = earlier;
  const text = { content, namespace, ...(source !== null && { source }) };
  // The metadata stays byte for byte as it is stored.
  const body = stringify({ ...text, metadata: earlier.metadata });
  const sent = { body, idempotencyKey: `${request.form.one('once')}-text`, settleSeconds: 2 };
  const written: z.output<typeof memoryAccepted> = await ask(memoryAccepted, memoryAddOperation, request, sent, parts);
  if (written.memory_id === id)
    throw new Refusal('invalid_content', 'The corrected text is the same as the earlier one.');
  const replaced = given(id, request, { reason: request.form.one('reason'), superseded_by: written.memory_id });
  await ask(memoryInvalidated, memoryInvalidateOperation, request, replaced, parts);
  return `/m/${written.memory_id}?corrected`;
}
