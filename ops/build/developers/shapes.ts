import { isSchema } from '../../../src/http/openapi/schemas.js';
import type { Parameter, Schema } from '../../../src/http/openapi/shape.js';
import { type Html, html, inline } from './html.js';

export const shapeId = (name: string) => `shape-${name}`;

/** The shapes of the document as tables. */
export function shapeTable(schema: Schema, all: Readonly<Record<string, Schema>>): Html {
  const whole = resolved(schema, all);
  if (!isSchema(whole.properties)) return html`<p class="type">${typeText(schema)}</p>`;
  const required = Array.isArray(whole.required) ? whole.required : [];
  const rows = Object.entries(whole.properties).map(([name, member]) =>
    row(name, isSchema(member) ? member : {}, required.includes(name)),
  );
  return table('Field', rows);
}

export function parameterTable(parameters: readonly Parameter[]): Html {
  return table(
    'Name',
    parameters.map(({ name, schema, required, ...rest }) => row(name, { ...schema, ...rest }, required)),
  );
}

function table(first: string, rows: readonly Html[]): Html {
  return html`<div class="scroll"><table class="fields">
<thead><tr><th scope="col">${first}</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function row(name: string, schema: Schema, required: boolean): Html {
  const code = schema['x-refused-with'];
  const wrong = typeof code === 'string' ? html`<p class="wrong">otherwise ${codeLink(code)}</p>` : undefined;
  const mark = required ? html` <span class="required">required</span>` : undefined;
  return html`<tr><th scope="row"><code>${name}</code>${mark}</th>
<td>${typeText(schema)}</td><td>${describedText(schema)}${bounds(schema)}${wrong}</td></tr>`;
}

export function codeLink(code: string): Html {
  return html`<a class="code-name" href="errors#error-${code}">${code}</a>`;
}

function describedText(schema: Schema): Html | undefined {
  return typeof schema.description === 'string' ? html`<p>${inline(schema.description)}</p>` : undefined;
}

/** Properties that the type does not express: bounds and defaults. */
function bounds(schema: Schema): Html | undefined {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const said = [
    range(minimum, maximum, ''),
    range(minLength === 1 && maxLength === undefined ? undefined : minLength, maxLength, ' characters'),
    minLength === 1 && maxLength === undefined ? 'not empty' : undefined,
    range(minItems, maxItems, ' items'),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((text) => text !== undefined);
  return said.length === 0 ? undefined : html`<p class="bounds">${said.join(' · ')}</p>`;
}

function range(least: unknown, most: unknown, of: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (least === undefined) return `at most ${most}${of}`;
  return most === undefined ? `at least ${least}${of}` : `${least} to ${most}${of}`;
}

/** A type as words, with links to the shapes that have names. */
export function typeText(schema: Schema): Html {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return html`<a href="#${shapeId(name)}">${name}</a>`;
  }
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray);
  if (choices) return joined(choices.filter(isSchema).map(typeText), ' or ');
  if (Array.isArray(schema.enum))
    return joined(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      ' | ',
    );
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.type === 'array') return html`list of ${isSchema(schema.items) ? typeText(schema.items) : 'values'}`;
  if (Array.isArray(schema.type)) return html`${schema.type.join(' or ')}`;
  const format = typeof schema.format === 'string' ? ` (${schema.format})` : '';
  return html`${typeof schema.type === 'string' ? schema.type : 'any'}${format}`;
}

function joined(parts: readonly Html[], between: string): Html {
  return html`${parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]))}`;
}

function resolved(schema: Schema, all: Readonly<Record<string, Schema>>): Schema {
  return typeof schema.$ref === 'string' ? (all[schema.$ref.split('/').at(-1) ?? ''] ?? schema) : schema;
}
