import { bulkDeleted } from '../../../contracts/approvals.js';
import { selectedDeleted } from '../../../contracts/delete-selected.js';
import { Refusal } from '../../../contracts/errors.js';
import { bulkDeleteOperation } from '../../api/memories/bulk-delete.js';
import { deleteSelectedOperation } from '../../api/memories/delete-selected.js';
import { ask } from '../ask.js';
import { hidden } from '../components/fields.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest } from '../page.js';
import { problemPage } from '../refused.js';

const path = '/memories/delete';

/** The id of the form that the boxes of the rows belong to. */
export const selectionForm = 'selection';

/**
 * The form of the list that deletes what is selected. It requests an approval, whose page then shows every memory that would be
 * deleted: so what is decided about is what was selected, although the list may change.
 */
export const deleteSelectionPage: PersonPage = {
  path,
  access: 'a person',
  ofMemoryApi: true,
  async submit(request, parts) {
    const ids = request.form.all('id');
    if (request.form.one('do') !== 'all' && ids.length === 0)
      return problemPage(400, 'Select at least one memory in the list, then delete the selection.', '/memories');
    return { location: `/approvals/${await requested(ids, request, parts)}?asked` };
  },
};

/** The approval that was requested. @throws Refusal as the API does */
async function requested(ids: readonly string[], request: PersonRequest, parts: PageParts): Promise<string> {
  const { form } = request;
  const idempotencyKey = form.one('once');
  try {
    if (form.one('do') === 'all') {
      const body = JSON.stringify(filterOf(form.one('namespace'), form.one('source')));
      await ask(selectedDeleted, deleteSelectedOperation, request, { body, idempotencyKey }, parts);
    } else {
      await ask(bulkDeleted, bulkDeleteOperation, request, { body: JSON.stringify({ ids }), idempotencyKey }, parts);
    }
  } catch (error) {
    const id = error instanceof Refusal && error.code === 'approval_required' ? error.details.approval_id : undefined;
    if (typeof id === 'string') return id;
    throw error;
  }
  throw new Error('a delete of several memories was carried out without an approval');
}

function filterOf(namespace: string, source: string) {
  return {
    ...(namespace === '' ? {} : { namespace_ids: [namespace] }),
    ...(source === '' ? {} : { filters: { source } }),
  };
}

interface Shown {
  readonly namespace: string | undefined;
  readonly source: string | undefined;
  /** A list filtered by words: the delete has no such filter, so it cannot be for all of them. */
  readonly hasWords: boolean;
}

/** The line above the rows that deletes the selected ones, or all that the filter matches. */
export function selectionBar({ namespace, source, hasWords }: Shown, request: PersonRequest, parts: PageParts): Html {
  const token = parts.formTokens.of(request.visitor.session.id, path);
  const isFiltered = namespace !== undefined || source !== undefined;
  return html`<form class="selection" id="${selectionForm}" method="post" action="${path}">${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}
${namespace !== undefined && hidden('namespace', namespace)}${source !== undefined && hidden('source', source)}
<button class="second small" name="do" value="selected">Delete the selected…</button>
${isFiltered && !hasWords && html`<button class="quiet small" name="do" value="all">Delete all that match…</button>`}
<span class="hint">Nothing is deleted before the request is approved.</span></form>`;
}

/** The box of a row, whose label is read aloud: the text of the row is beside it. */
export function selectionBox(id: string, excerpt: string): Html {
  return html`<label><span class="spoken">Select ${said(excerpt.slice(0, 60))}</span><input type="checkbox" name="id" value="${id}" form="${selectionForm}"></label>`;
}
