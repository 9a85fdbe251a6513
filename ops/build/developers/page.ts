import type { ApiDocument } from '../../../src/http/openapi/shape.js';
import { apiIndex } from './api-index.js';
import { errorSection } from './error-section.js';
import { type Html, html } from './html.js';
import { layout } from './layout.js';
import { operationArticle } from './operation.js';
import { apiPathOf, errorsId, type Tag, tagsOf } from './place.js';
import { shapeId, shapeTable } from './shapes.js';
import { apiPath, linkTo } from './site.js';
import { shapesOf, withParts } from './used-shapes.js';

interface ApiPage {
  readonly path: string;
  readonly text: string;
}

/**
 * The description of the API as pages of the documentation: one for each tag with the shapes that its operations use, one with
 * the error codes, and an index, which has the anchors of all of them.
 */
export function apiPages(api: ApiDocument): readonly ApiPage[] {
  const tags = tagsOf(api);
  const used = new Map(tags.map((tag) => [tag.id, shapesOf(tag, api)] as const));
  const elsewhere = new Set([...used.values()].flatMap((names) => [...names]));
  const unused = Object.keys(api.components.schemas).filter((name) => !elsewhere.has(name));
  // What no operation names, such as the shape of refusals, is explained with the error codes.
  const shapes = new Map([...used, [errorsId, withParts(unused, api)] as const]);
  const page = (path: string, title: string, main: Html, inside?: Html) => ({
    path,
    text: layout({ path, title, main, contents: contents(path, tags, inside) }),
  });
  return [
    page(apiPath, 'API', apiIndex(api, tags, shapes)),
    ...tags.map((tag) =>
      page(apiPathOf(tag.id), `API: ${tag.name}`, tagMain(tag, used.get(tag.id), api), operationsOf(tag)),
    ),
    page(
      apiPathOf(errorsId),
      'API: error codes',
      html`${errorSection(tags, api)}${shapeSection(shapes.get(errorsId), api)}`,
    ),
  ];
}

function tagMain(tag: Tag, shapes: ReadonlySet<string> | undefined, api: ApiDocument): Html {
  return html`<header><h1>${tag.name}</h1><p class="lead">${tag.description}</p>
<p class="about">The calls take <code>$URL</code> for the address of the service and <code>$KEY</code> for an API key. <a href="../api#calling">Requests and answers</a> says what all operations have in common.</p></header>
${tag.places.map(({ method, path, operation }) => operationArticle(method, path, operation, api))}
${shapeSection(shapes, api)}`;
}

/** The pages of the reference, in the navigation below the reference itself. */
function contents(current: string, tags: readonly Tag[], inside: Html | undefined): Html {
  const link = (id: string, name: string) => {
    const path = apiPathOf(id);
    const isHere = path === current;
    return html`<li><a href="${linkTo(current, path)}"${isHere ? html` aria-current="page"` : undefined}>${name}</a>${isHere ? inside : undefined}</li>`;
  };
  return html`<ul class="inside">${tags.map(({ id, name }) => link(id, name))}${link(errorsId, 'Error codes')}</ul>`;
}

function operationsOf({ places }: Tag): Html {
  const items = places.map(
    ({ method, operation }) => html`<li><a href="#${operation.operationId}">
<span class="method ${method}">${method.toUpperCase()}</span> <span>${operation.summary}</span></a></li>`,
  );
  return html`<ul class="operations">${items}</ul>`;
}

function shapeSection(
  names: ReadonlySet<string> | undefined,
  { components: { schemas } }: ApiDocument,
): Html | undefined {
  const shown = Object.entries(schemas).filter(([name]) => names?.has(name));
  if (shown.length === 0) return undefined;
  const shapes = shown.map(
    ([
      name,
      schema,
    ]) => html`<article class="shape" id="${shapeId(name)}"><h3><a class="own" href="#${shapeId(name)}">${name}</a></h3>
${typeof schema.description === 'string' ? html`<p>${schema.description}</p>` : undefined}
${shapeTable(schema, schemas)}</article>`,
  );
  return html`<section id="shapes" aria-labelledby="shapes-title"><h2 id="shapes-title">Shapes</h2>
<p class="about">The objects in bodies and answers of this page.</p>${shapes}</section>`;
}
