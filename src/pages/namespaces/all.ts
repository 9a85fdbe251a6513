import type { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { type namespace, namespaceList } from '../../../contracts/memory.js';
import { namespaceListOperation } from '../../api/namespaces/namespaces.js';
import { ask } from '../ask.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';

type Namespace = z.output<typeof namespace>;

/** Pages of 1,000 that are read at most: no person finds more in a list. */
const mostPages = 10;
/** Boxes that are not checked are shown up to this number; a person finds the other ones by their name. */
const mostBoxes = 100;
/** From this number on there is a field to find namespaces with. */
const manyBoxes = 12;

/** The namespaces of the workspace by name; none where it has no memory API. */
export const namespacesOf = (request: PersonRequest, parts: PageParts): Promise<readonly Namespace[]> =>
  allOf({}, request, parts);

/** The same, each with how many memories are in it and its last activity. */
export const namespacesWithCounts = (request: PersonRequest, parts: PageParts): Promise<readonly Namespace[]> =>
  allOf({ include: 'stats' }, request, parts);

async function allOf(
  include: Readonly<Record<string, string>>,
  request: PersonRequest,
  parts: PageParts,
): Promise<readonly Namespace[]> {
  const found: Namespace[] = [];
  let cursor: string | null = null;
  try {
    for (let read = 0; read < mostPages; read += 1) {
      const query: Record<string, string> = { ...include, ...(cursor === null ? {} : { cursor }) };
      const page: z.output<typeof namespaceList> = await ask(
        namespaceList,
        namespaceListOperation,
        request,
        { query },
        parts,
      );
      found.push(...page.data);
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'feature_not_enabled') throw error;
  }
  return found;
}

export function defaultOf(all: readonly Namespace[]): readonly string[] {
  return all.flatMap(({ id, is_default }) => (is_default ? [id] : []));
}

/** The names of namespaces by their ids; one that was deleted has none. */
export function namesOf(all: readonly Namespace[], ids: readonly string[]): Html {
  const names = new Map(all.map(({ id, name }) => [id, name]));
  if (ids.length === 0) return html`<strong>none</strong>`;
  const shown = ids
    .slice(0, 8)
    .map((id, at) => html`${at === 0 ? '' : ', '}<bdi>${names.get(id) ?? 'a deleted namespace'}</bdi>`);
  return html`${shown}${ids.length > 8 ? ` and ${ids.length - 8} more` : undefined}`;
}

export interface ChosenNamespaces {
  readonly all: readonly Namespace[];
  readonly chosen: readonly string[];
  /** The part of a name that the person looks for. */
  readonly find: string;
}

/** Boxes for namespaces: those that are checked first, then those whose name has the text that the person looks for. */
export function namespaceBoxes({ all, chosen, find }: ChosenNamespaces): Html {
  const isChosen = new Set(chosen);
  const sought = find.toLowerCase();
  const checked = all.filter(({ id }) => isChosen.has(id));
  const others = all.filter(({ id, name }) => !isChosen.has(id) && name.toLowerCase().includes(sought));
  const boxes = [...checked, ...others.slice(0, mostBoxes)].map(
    ({
      id,
      name,
      is_default,
    }) => html`<li><label class="option"><input type="checkbox" name="namespace" value="${id}"${isChosen.has(id) ? html` checked` : undefined}>
<span><bdi>${name}</bdi>${is_default ? html`<small>the default namespace</small>` : undefined}</span></label></li>`,
  );
  const more = others.length - mostBoxes;
  const finding = html`<p class="find"><label for="find">Find a namespace</label>
<span><input id="find" name="find" value="${find}" maxlength="64"><button class="second" name="do" value="find">Find</button></span></p>`;
  return html`<fieldset><legend>Namespaces</legend>
${all.length > manyBoxes ? finding : undefined}
${boxes.length === 0 ? html`<p class="hint">There is no namespace with that in its name.</p>` : html`<ul class="options${boxes.length > manyBoxes ? ' many' : ''}">${boxes}</ul>`}
${more > 0 ? html`<p class="hint">${more} more are not shown. Find them by their name; boxes that are checked stay checked.</p>` : undefined}
</fieldset>`;
}
