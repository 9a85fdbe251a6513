import type { ApiDocument } from '../../../src/http/openapi/shape.js';
import { codes } from './error-section.js';
import { type Html, html, prose } from './html.js';
import { apiPathOf, errorsId, type Tag } from './place.js';
import { shapeId } from './shapes.js';

/**
 * The first page of the reference. The whole reference was one page before, so each of its anchors is here, at the link to
 * where it is now; the script of the page follows that link for those who come by such an address.
 */
export function apiIndex(
  api: ApiDocument,
  tags: readonly Tag[],
  shapes: ReadonlyMap<string, ReadonlySet<string>>,
): Html {
  return html`${opening(api)}
${tags.map(tagSection)}
<section id="errors"><h2><a href="${apiPathOf(errorsId)}">Error codes</a></h2>
<p class="about">Every code with its status, its sentence and the operations that answer it.</p>
<ul class="names">${codes.map(([code]) => moved(`error-${code}`, errorsId, html`<code>${code}</code>`))}</ul></section>
<section id="shapes"><h2>Shapes</h2>
<p class="about">The objects in bodies and answers. Each is described on the pages of the operations that use it.</p>
<ul class="names">${Object.keys(api.components.schemas).map((name) => moved(shapeId(name), placeOf(name, shapes), html`${name}`))}</ul></section>`;
}

function opening({ info, components }: ApiDocument): Html {
  const [lead = '', ...rest] = String(info.description).split('\n\n');
  const credentials = Object.entries(components.securitySchemes).map(
    ([name, { description }]) => html`<dt><code>${name}</code></dt><dd>${String(description)}</dd>`,
  );
  return html`<header id="calling">
<h1>The API</h1>
<p class="lead">${lead}</p>
<p class="downloads"><a class="button" href="openapi.yaml">OpenAPI 3.1 description</a>
<span>version ${String(info.version)}</span></p>
<div class="rules">${prose(rest.join('\n\n'))}</div>
<h2>Credentials</h2>
<dl class="credentials">${credentials}</dl>
</header>`;
}

function tagSection({ id, name, description, places }: Tag): Html {
  const items = places.map(
    ({ method, path, operation: { operationId, summary } }) => html`<li id="${operationId}" class="moved">
<span class="method ${method}">${method.toUpperCase()}</span> <span><a href="${apiPathOf(id)}#${operationId}">${summary}</a> <code>${path}</code></span></li>`,
  );
  return html`<section id="${id}"><h2><a href="${apiPathOf(id)}">${name}</a></h2><p class="about">${description}</p>
<ul class="listing">${items}</ul></section>`;
}

const moved = (anchor: string, pageId: string, name: Html): Html =>
  html`<li id="${anchor}" class="moved"><a href="${apiPathOf(pageId)}#${anchor}">${name}</a></li>`;

/** The first page that describes a shape. */
function placeOf(name: string, shapes: ReadonlyMap<string, ReadonlySet<string>>): string {
  const [id] = [...shapes].find(([, names]) => names.has(name)) ?? [];
  if (id === undefined) throw new Error(`the shape ${name} is on no page`);
  return id;
}
