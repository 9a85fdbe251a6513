import { z } from 'zod';
import type { ErrorCode } from '../../../contracts/errors.js';
import type { Field } from '../../../contracts/input.js';
import type { ObjectSchema, ValueSchema } from '../tool.js';

/** The arguments of a tool: their schema, and the codes that the API has for wrong ones. */
export interface ArgumentList {
  readonly schema: ObjectSchema;
  /** The code of an argument that the tool does not take. */
  readonly unknown: ErrorCode;
  /** The code of each wrong argument. */
  readonly codes: Readonly<Record<string, ErrorCode>>;
  /** Arguments for which null means absent. */
  readonly nullable: readonly string[];
  /** The names of arguments that the API has under another name, by that name. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** The words of a tool about an argument, whose type and bounds are those of the field of the API. */
export interface Words {
  readonly says: string;
  /** Of the elements of a list. */
  readonly items?: Words;
  /** Of the members of an object, in the order in which they are listed. Without them every object is taken. */
  readonly members?: Readonly<Record<string, Words>>;
  /** Where the field of the API leaves it to a function that checks. */
  readonly format?: 'uri';
  /** Published without bounds of its length, because models send empty ids and lists that count as absent (meant.ts). */
  readonly unbounded?: true;
}

/** An argument that is a field of an operation. */
export interface Argument {
  readonly field: Pick<Field, 'schema' | 'described' | 'code'>;
  readonly words: Words;
}

export function argument(field: Argument['field'], words: string | Words): Argument {
  return { field, words: typeof words === 'string' ? { says: words } : words };
}

/**
 * The schema that clients get and the codes of refusals, both made of the fields that the operation reads.
 * @param unknown the code of an argument that is not listed
 * @throws Error for words about a member that a field does not have, and for a member without words
 */
export function argumentList(
  unknown: ErrorCode,
  given: Readonly<Record<string, Argument>>,
  renamed: Readonly<Record<string, string>> = {},
): ArgumentList {
  const all = Object.entries(given);
  const taking = (value: unknown) => all.filter(([, { field }]) => field.schema.safeParse(value).success);
  const optional = new Set(taking(undefined).map(([name]) => name));
  const required = Object.keys(given).filter((name) => !optional.has(name));
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(all.map(([name, { field, words }]) => [name, schemaOf(field, words)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    unknown,
    codes: Object.fromEntries(all.map(([name, { field }]) => [name, field.code])),
    nullable: taking(null).map(([name]) => name),
    renamed,
  };
}

const types = z.enum(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);

/** The members of a JSON Schema that are read. The rest, such as patterns and references, is not in the subset that every client takes. */
const shown = z.object({
  type: z.union([types.transform((one) => [one]), z.array(types)]).optional(),
  format: z.enum(['uuid', 'date-time']).optional().catch(undefined),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.unknown().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  get items() {
    return shown.optional();
  },
  get properties() {
    return z.record(z.string(), shown).optional();
  },
  get anyOf() {
    return z.array(shown).optional();
  },
  $ref: z.string().optional(),
});
type Shown = z.output<typeof shown>;

function schemaOf({ described }: Argument['field'], words: Words): ValueSchema {
  const { $defs = {}, ...whole } = z.toJSONSchema(described, { io: 'input', unrepresentable: 'any' });
  const [, name = ''] = /^#\/\$defs\/(\w+)$/.exec(whole.$ref ?? '') ?? [];
  return published(shown.parse($defs[name] ?? whole), words);
}

function published(given: Shown, { says: description, items, members, unbounded, ...words }: Words): ValueSchema {
  const value = meantForm(given);
  const { minLength, maxLength, minItems, maxItems }: Partial<Shown> = unbounded ? {} : value;
  const format = words.format ?? value.format;
  switch (typeOf(value)) {
    case 'string':
      return {
        type: 'string',
        ...(value.enum && { enum: value.enum }),
        ...(format && { format }),
        ...(minLength !== undefined && { minLength }),
        ...(maxLength !== undefined && { maxLength }),
        description,
      };
    case 'integer': {
      const { default: standard } = value;
      return {
        type: 'integer',
        ...boundsOf(value, description),
        ...(typeof standard === 'number' && { default: standard }),
        description,
      };
    }
    case 'number':
      return { type: 'number', ...boundsOf(value, description), description };
    case 'boolean':
      return { type: 'boolean', description };
    case 'array':
      if (!items || !value.items) throw new Error(`a list without elements: ${description}`);
      return {
        type: 'array',
        ...(minItems !== undefined && { minItems }),
        ...(maxItems !== undefined && { maxItems }),
        items: published(value.items, items),
        description,
      };
    case 'object':
      return { type: 'object', description, ...(members && { properties: membersOf(value, members) }) };
  }
}

function boundsOf({ minimum, maximum }: Shown, description: string) {
  if (minimum === undefined || maximum === undefined) throw new Error(`without bounds: ${description}`);
  return { minimum, maximum };
}

function membersOf({ properties = {} }: Shown, words: Readonly<Record<string, Words>>): Record<string, ValueSchema> {
  const unsaid = Object.keys(properties).find((name) => !Object.hasOwn(words, name));
  if (unsaid !== undefined) throw new Error(`no words about the member ${unsaid}`);
  return Object.fromEntries(
    Object.entries(words).map(([name, said]) => {
      const property = properties[name];
      if (!property) throw new Error(`words about ${name}, which is no member`);
      return [name, published(property, said)];
    }),
  );
}

/** Of a text or a list of texts the list, and of a value or null the value: a schema of the subset has one type. */
function meantForm(given: Shown): Shown {
  const forms = given.anyOf ?? [];
  return forms.find(({ type }) => type?.includes('array')) ?? forms.find(({ type }) => type !== undefined) ?? given;
}

/** A reference stands for an object: only filters within filters are one. */
function typeOf({ type = [], $ref }: Shown): ValueSchema['type'] {
  const one = $ref === undefined ? type.find((name) => name !== 'null') : 'object';
  if (one === undefined) throw new Error('a schema without a type');
  return one;
}
