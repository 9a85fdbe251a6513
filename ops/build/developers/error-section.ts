import { errors } from '../../../contracts/errors.js';
import type { ApiDocument } from '../../../src/http/openapi/shape.js';
import { type Html, html } from './html.js';
import { codesOf, responseOf } from './operation.js';
import type { Tag } from './place.js';

/** An operation, as the pages beside its own refer to it. */
interface Linked {
  readonly operationId: string;
  readonly tagId: string;
}

/** Every code of the service, by status. */
export const codes = Object.entries(errors).sort(([, [a]], [, [b]]) => a - b);

/** Every code of the service, and the operations that answer it. */
export function errorSection(tags: readonly Tag[], api: ApiDocument): Html {
  const callers = callersOf(tags, api);
  const all = tags.reduce((count, { places }) => count + places.length, 0);
  const rows = codes.map(
    ([code, [status, sentence]]) => html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th>
<td><code>${status}</code></td><td>${sentence}</td><td>${answeredBy(callers.get(code) ?? [], all)}</td></tr>`,
  );
  return html`<header><h1>Error codes</h1>
<p class="lead">All of them, by status. A code keeps its meaning; its sentence may change.</p></header>
<div class="scroll"><table class="fields codes"><thead><tr><th scope="col">Code</th><th scope="col">Status</th>
<th scope="col">When</th><th scope="col">Answered by</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function callersOf(tags: readonly Tag[], api: ApiDocument): ReadonlyMap<string, readonly Linked[]> {
  const callers = new Map<string, Linked[]>();
  for (const { id: tagId, places } of tags) {
    for (const { operation } of places) {
      for (const response of Object.values(operation.responses)) {
        for (const { code } of codesOf(responseOf(response, api))) {
          callers.set(code, [...(callers.get(code) ?? []), { operationId: operation.operationId, tagId }]);
        }
      }
    }
  }
  return callers;
}

/** A code of more than a third of the operations has a count instead of a list. */
function answeredBy(operations: readonly Linked[], all: number): Html {
  if (operations.length > all / 3) return html`${operations.length} operations`;
  const links = operations.map(({ operationId: id, tagId }) => html`<a href="${tagId}#${id}">${id}</a>`);
  return html`${links.flatMap((link, at) => (at === 0 ? [link] : [', ', link]))}`;
}
