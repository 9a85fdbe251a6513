import { Refusal } from '../../../contracts/errors.js';
import { type Call, call } from '../../api/call.js';
import type { WorkspaceOperation } from '../../api/operation.js';
import { isObject } from '../../base/json-text.js';
import { isUuid } from '../../base/world.js';
import type { Arguments, Calling, ValueSchema } from '../tool.js';
import type { ArgumentList } from './argument-list.js';

/** One fault of the arguments. The path is the name of the argument, followed by that of a member inside of it. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/**
 * Checks the arguments themselves: their names, types and bounds. The operation checks what is inside of objects.
 * @throws Refusal with the code of the first fault, its sentence, and all faults as `issues` of its details
 */
export function checkArguments(list: ArgumentList, given: Readonly<Record<string, unknown>>): void {
  const issues = [...unknownOnes(list, given), ...wrongOnes(list, given)];
  const [first] = issues;
  if (!first) return;
  const isKnown = Object.hasOwn(list.schema.properties, first.path);
  const code = isKnown ? (list.codes[first.path] ?? 'invalid_request') : list.unknown;
  throw new Refusal(code, first.message, { issues });
}

/** A caller may send many unknown arguments; the first few of them say enough. */
const mostUnknown = 5;

function unknownOnes({ schema }: ArgumentList, given: Readonly<Record<string, unknown>>): Issue[] {
  const names = Object.keys(schema.properties);
  // Some clients send something to every tool, and one that takes nothing can misunderstand nothing.
  if (names.length === 0) return [];
  const allowed = `It takes ${names.join(', ')}.`;
  return Object.keys(given)
    .filter((name) => !names.includes(name))
    .slice(0, mostUnknown)
    .map((name) => {
      const shown = printable(name);
      return { path: shown, message: `This tool does not take the argument ${JSON.stringify(shown)}. ${allowed}` };
    });
}

/** Only the first characters, and none that a terminal or a log interprets. */
export function printable(name: string): string {
  return name.slice(0, 64).toWellFormed().replace(/\p{C}/gu, '\ufffd');
}

function wrongOnes({ schema, nullable }: ArgumentList, given: Readonly<Record<string, unknown>>): Issue[] {
  return Object.entries(schema.properties).flatMap(([path, wanted]) => {
    const value = Object.hasOwn(given, path) ? given[path] : undefined;
    if (value === undefined) {
      const isRequired = schema.required?.includes(path) === true;
      return isRequired ? [{ path, message: `${path} is missing: it must be ${inWords(wanted)}.` }] : [];
    }
    if (value === null && nullable.includes(path)) return [];
    const found = faultOf(wanted, value);
    return found === null ? [] : [{ path, message: `${path} must be ${inWords(wanted)}, and it ${found}.` }];
  });
}

/** The values that a schema allows, as the end of a sentence. */
function inWords(schema: ValueSchema): string {
  switch (schema.type) {
    case 'string': {
      const { minLength = 0, maxLength, format } = schema;
      if (schema.enum) return `one of ${schema.enum.join(', ')}`;
      const kind =
        format === 'uuid' ? 'a string with a UUID' : format === 'uri' ? 'a string with an address' : 'a string';
      return maxLength === undefined ? kind : `${kind} of ${minLength} to ${maxLength} characters`;
    }
    case 'integer':
      return `a whole number from ${schema.minimum} to ${schema.maximum}`;
    case 'number':
      return `a number from ${schema.minimum} to ${schema.maximum}`;
    case 'boolean':
      return 'true or false';
    case 'array': {
      const { minItems = 0, maxItems, items } = schema;
      const elements = items.type === 'string' && items.format === 'uuid' ? 'UUIDs' : 'elements';
      return maxItems === undefined ? `a list of ${elements}` : `a list of ${minItems} to ${maxItems} ${elements}`;
    }
    case 'object':
      return 'an object';
  }
}

/** Why a value is not as the schema says, as the predicate of a sentence; null where it is. */
function faultOf(schema: ValueSchema, value: unknown): string | null {
  const is = `is ${kindOf(value)}`;
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' ? stringFault(schema, value) : is;
    case 'integer':
      if (typeof value !== 'number') return is;
      return Number.isSafeInteger(value) && value >= schema.minimum && value <= schema.maximum ? null : `is ${value}`;
    case 'number':
      if (typeof value !== 'number') return is;
      return value >= schema.minimum && value <= schema.maximum ? null : `is ${value}`;
    case 'boolean':
      return typeof value === 'boolean' ? null : is;
    case 'array':
      return Array.isArray(value) ? listFault(schema, value) : is;
    case 'object':
      return isObject(value) ? null : is;
  }
}

function stringFault(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, enum: values }: Extract<ValueSchema, { type: 'string' }>,
  value: string,
): string | null {
  if (values && !values.includes(value)) return 'is another string';
  const length = characters(value, maxLength);
  if (length < minLength) return value === '' ? 'is empty' : `has ${length} characters`;
  return length > maxLength ? `has ${length} characters` : null;
}

/** Code points, as JSON Schema counts them. They are only counted where the number of code units does not decide. */
function characters(value: string, most: number): number {
  return value.length <= most || value.length > 2 * most ? value.length : Array.from(value).length;
}

function listFault(
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items }: Extract<ValueSchema, { type: 'array' }>,
  value: readonly unknown[],
): string | null {
  if (value.length < minItems) return value.length === 0 ? 'is empty' : `has ${value.length} elements`;
  if (value.length > maxItems) return `has ${value.length} elements`;
  const wrong = value.findIndex((element) => elementFault(items, element));
  return wrong === -1 ? null : `has another element at position ${wrong}`;
}

/** Elements are UUIDs in any spelling of their digits, as the API takes them. */
function elementFault(schema: ValueSchema, element: unknown): boolean {
  if (faultOf(schema, element) !== null) return true;
  const isId = schema.type === 'string' && schema.format === 'uuid';
  return isId && !isUuid(String(element));
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A refusal of the API about arguments, with its sentence as an issue, and with the members that an object may have. */
export function withIssues(refusal: Refusal, { schema, renamed = {} }: ArgumentList): Refusal {
  if (refusal.status !== 400 || 'issues' in refusal.details) return refusal;
  const [field = '', ...members] = pathOf(refusal.message);
  const name = renamed[field] ?? field;
  const sentence = field === '' ? refusal.message : refusal.message.replace(field, name);
  const argument = schema.properties[name];
  const allowed = argument?.type === 'object' ? Object.keys(argument.properties ?? {}) : [];
  const message = allowed.length === 0 ? sentence : `${sentence} ${name} takes the members ${allowed.join(', ')}.`;
  const issues = [{ path: [name, ...members].join('.'), message }];
  return new Refusal(refusal.code, message, { ...refusal.details, issues }, { cause: refusal });
}

/** Messages of the API begin with the field and the members inside of it: "filters: metadata.person: …". */
function pathOf(message: string): string[] {
  const [names = ''] = /^(?:[\w.]+: )+/.exec(message) ?? [];
  return names.split(/: |\./).filter((name) => name !== '' && name !== 'keys');
}

type Sent = Pick<Call, 'params' | 'query' | 'body' | 'settleSeconds'>;

/**
 * The body of the answer of an operation to the arguments of a tool or a prompt.
 * @throws Refusal that names the arguments as the tool does
 */
export async function answerOf(
  operation: WorkspaceOperation,
  list: ArgumentList,
  args: Pick<Arguments, 'value'>,
  calling: Calling,
  request: Sent,
): Promise<unknown> {
  const { caller, client, idempotencyKey, prefer, signal } = calling;
  const check = () => checkArguments(list, args.value);
  try {
    const whole = { caller, client, idempotencyKey, prefer, signal, check, ...request };
    return (await call(operation, whole, calling)).body;
  } catch (error) {
    throw error instanceof Refusal ? withIssues(error, list) : error;
  }
}
