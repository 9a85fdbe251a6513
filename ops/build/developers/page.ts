import { errors } from '../../../contracts/errors.js';
import type { ApiDocument, OperationObject } from '../../../src/http/openapi/shape.js';
import { type Html, html, prose } from './html.js';
import { layout } from './layout.js';
import { codesOf, operationArticle, responseOf } from './operation.js';
import { shapeId, shapeTable } from './shapes.js';
import { apiPath } from './site.js';

interface Place {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** The description of the API as a page of the documentation. */
export function apiPage(api: ApiDocument): string {
  const places = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Place => ({ method, path, operation })),
  );
  const main = html`${opening(api)}
${api.tags.map(({ name, description }) => section(name, description, places, api))}
${errorSection(places, api)}
${shapeSection(api)}`;
  return layout({ path: apiPath, title: 'API', main, contents: contents(api, places) });
}

const sectionId = (name: string) => name.toLowerCase().replaceAll(' ', '-');

function contents(api: ApiDocument, places: readonly Place[]): Html {
  const groups = api.tags.map(({ name }) => {
    const items = of(name, places).map(
      ({ method, operation }) => html`<li><a href="#${operation.operationId}">
<span class="method ${method}">${method.toUpperCase()}</span> <span>${operation.summary}</span></a></li>`,
    );
    return html`<li><a href="#${sectionId(name)}">${name}</a><ul class="operations">${items}</ul></li>`;
  });
  return html`<ul class="inside"><li><a href="#calling">Requests and answers</a></li>${groups}
<li><a href="#errors">Error codes</a></li><li><a href="#shapes">Shapes</a></li></ul>`;
}

function of(tag: string, places: readonly Place[]): readonly Place[] {
  return places.filter(({ operation }) => operation.tags.includes(tag));
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
<p>The calls on this page take <code>$URL</code> for the address of the service and <code>$KEY</code> for an API key.</p>
</header>`;
}

function section(name: string, description: string, places: readonly Place[], api: ApiDocument): Html {
  const articles = of(name, places).map(({ method, path, operation }) =>
    operationArticle(method, path, operation, api),
  );
  return html`<section id="${sectionId(name)}" aria-labelledby="${sectionId(name)}-title">
<h2 id="${sectionId(name)}-title">${name}</h2><p class="about">${description}</p>
${articles}</section>`;
}

/** Every code of the service, and the operations that answer it. */
function errorSection(places: readonly Place[], api: ApiDocument): Html {
  const callers = new Map<string, OperationObject[]>();
  for (const { operation } of places) {
    for (const response of Object.values(operation.responses)) {
      for (const { code } of codesOf(responseOf(response, api))) {
        callers.set(code, [...(callers.get(code) ?? []), operation]);
      }
    }
  }
  const rows = Object.entries(errors)
    .sort(([, [a]], [, [b]]) => a - b)
    .map(
      ([code, [status, sentence]]) => html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th>
<td><code>${status}</code></td><td>${sentence}</td><td>${answeredBy(callers.get(code) ?? [], places.length)}</td></tr>`,
    );
  return html`<section id="errors" aria-labelledby="errors-title"><h2 id="errors-title">Error codes</h2>
<p class="about">All of them, by status. A code keeps its meaning; its sentence may change.</p>
<div class="scroll"><table class="fields codes"><thead><tr><th scope="col">Code</th><th scope="col">Status</th>
<th scope="col">When</th><th scope="col">Answered by</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** A code of more than a third of the operations has a count instead of a list. */
function answeredBy(operations: readonly OperationObject[], all: number): Html {
  if (operations.length > all / 3) return html`${operations.length} operations`;
  const links = operations.map(({ operationId: id }) => html`<a href="#${id}">${id}</a>`);
  return html`${links.flatMap((link, at) => (at === 0 ? [link] : [', ', link]))}`;
}

function shapeSection({ components: { schemas } }: ApiDocument): Html {
  const shapes = Object.entries(schemas).map(
    ([
      name,
      schema,
    ]) => html`<article class="shape" id="${shapeId(name)}"><h3><a class="own" href="#${shapeId(name)}">${name}</a></h3>
${typeof schema.description === 'string' ? html`<p>${schema.description}</p>` : undefined}
${shapeTable(schema, schemas)}</article>`,
  );
  return html`<section id="shapes" aria-labelledby="shapes-title"><h2 id="shapes-title">Shapes</h2>
<p class="about">The objects in bodies and answers.</p>${shapes}</section>`;
}
