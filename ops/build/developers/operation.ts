import type {
  ApiDocument,
  MediaTypeObject,
  OperationObject,
  Parameter,
  Reference,
  ResponseObject,
} from '../../../src/http/openapi/shape.js';
import { block, json } from './code.js';
import { type Html, html, inline, prose } from './html.js';
import { codeLink, parameterTable, shapeTable, typeText } from './shapes.js';

/** One operation: what it takes and answers, and beside it a call and its answer to copy. */
export function operationArticle(method: string, path: string, operation: OperationObject, api: ApiDocument): Html {
  const { operationId: id, summary, description } = operation;
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title"><a class="own" href="#${id}">${summary}</a></h2>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></p>
<div class="columns">
<div class="described">${prose(description)}
${parameters(operation, api, ['path', 'query'])}${requestBody(operation, api)}
${parameters(operation, api, ['header'])}${answers(operation, api)}${refusals(operation, api)}</div>
<div class="shown">${samples(operation, api)}</div>
</div>
</article>`;
}

/** A path may go to the next line behind a slash. */
function breakable(path: string): Html {
  return html`${path.split(/(?=\/)/).flatMap((part, at) => (at === 0 ? [part] : [html`<wbr>`, part]))}`;
}

const titles = { path: 'In the path', query: 'In the query', header: 'Headers' } as const;

function parameters(
  { parameters: given }: OperationObject,
  api: ApiDocument,
  places: readonly Parameter['in'][],
): Html[] {
  const all = given.map((one) => parameterOf(one, api));
  return places.flatMap((place) => {
    const here = all.filter((one) => one.in === place);
    return here.length === 0 ? [] : [html`<h3>${titles[place]}</h3>${parameterTable(here)}`];
  });
}

function parameterOf(given: Parameter | Reference, { components }: ApiDocument): Parameter {
  const found = '$ref' in given ? components.parameters[nameOf(given)] : given;
  if (!found) throw new Error('a parameter that is referred to is not there');
  return found;
}

export function responseOf(given: ResponseObject | Reference, { components }: ApiDocument): ResponseObject {
  const found = '$ref' in given ? components.responses[nameOf(given)] : given;
  if (!found) throw new Error('an answer that is referred to is not there');
  return found;
}

function nameOf({ $ref }: Reference): string {
  return $ref.split('/').at(-1) ?? '';
}

function requestBody({ requestBody: body }: OperationObject, { components }: ApiDocument): Html | undefined {
  const media = body?.content['application/json'];
  return media && html`<h3>Body</h3>${shapeTable(media.schema, components.schemas)}`;
}

/** The codes of the document's sentence about a status: one line each, as `- \`code\`: sentence`. */
export function codesOf({ description }: ResponseObject): { code: string; sentence: string }[] {
  return [...description.matchAll(/^- `(\w+)`: (.*)$/gm)].map(([, code = '', sentence = '']) => ({ code, sentence }));
}

function answers(operation: OperationObject, api: ApiDocument): Html {
  const rows = responses(operation, api)
    .filter(({ response }) => codesOf(response).length === 0)
    .map(({ status, response }) => {
      const [[type, media] = ['', undefined]] = Object.entries(response.content ?? {});
      const shape = type === 'application/json' && media ? typeText(media.schema) : html`${type}`;
      return html`<tr><th scope="row"><code>${status}</code></th><td>${shape}</td><td><p>${inline(response.description)}</p></td></tr>`;
    });
  return html`<h3>Answers</h3><div class="scroll"><table class="fields">
<thead><tr><th scope="col">Status</th><th scope="col">Body</th><th scope="col">When</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** As short lines and not as a table: operations have many refusals, and a page has several operations. */
function refusals(operation: OperationObject, api: ApiDocument): Html | undefined {
  const statuses = responses(operation, api).flatMap(({ status, response }) => {
    const codes = codesOf(response);
    return codes.length === 0 ? [] : [{ status, codes }];
  });
  const count = statuses.reduce((sum, { codes }) => sum + codes.length, 0);
  if (count === 0) return undefined;
  const lists = statuses.map(
    ({ status, codes }) =>
      html`<dt>${status}</dt>${codes.map(({ code, sentence }) => html`<dd>${codeLink(code)} ${sentence}</dd>`)}`,
  );
  return html`<details class="refusals"><summary>${count} refusals</summary><dl>${lists}</dl></details>`;
}

function responses({ responses: given }: OperationObject, api: ApiDocument) {
  return Object.entries(given).map(([status, one]) => ({ status, response: responseOf(one, api) }));
}

function samples(operation: OperationObject, api: ApiDocument): Html {
  const calls = operation['x-codeSamples'].map(({ source }) => block('Call', html`${source}`));
  const shown = responses(operation, api)
    .filter(({ response }) => codesOf(response).length === 0)
    .flatMap(({ status, response }) =>
      Object.values(response.content ?? {}).flatMap((media) =>
        valuesOf(media).map((value) =>
          block(`Answer ${status}`, typeof value === 'string' ? html`${value}` : json(value)),
        ),
      ),
    );
  return html`${calls}${shown}`;
}

function valuesOf({ examples = {} }: MediaTypeObject): unknown[] {
  return Object.values(examples).map(({ value }) => value);
}
