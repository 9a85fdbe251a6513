import { isObject } from '../../../src/base/json-text.js';
import { isUuid } from '../../../src/base/world.js';
import type { Args, Schema } from './model.js';

/** The arguments that the schema allows. A name where the schema wants an id is left out: the model does not know the id. */
export function asTheSchemaSays(schema: Schema, args: Args): Args {
  const kept = Object.entries(args).filter(
    ([name, value]) => value !== undefined && isAllowed(schema.properties?.[name], value),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, inner(schema.properties?.[name], value)]));
}

function inner(schema: Schema | undefined, value: unknown): unknown {
  const items = schema?.items;
  if (Array.isArray(value)) return items?.properties ? value.map((one) => inner(items, one)) : value;
  return isObject(value) && schema?.properties ? asTheSchemaSays(schema, value) : value;
}

function isAllowed(schema: Schema | undefined, value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => isAllowed(schema?.items, one));
  return schema?.format !== 'uuid' || isUuid(String(value));
}

/**
 * The same arguments with numbers as texts, lists and objects as JSON texts, dates without a time, and null for each that is missing,
 * unless the model has read that its arguments were wrong.
 */
export function sloppily(schema: Schema, args: Args, isCareful: boolean): Args {
  const all = Object.entries(schema.properties ?? {}).filter(([name]) => !isCareful || args[name] !== undefined);
  return Object.fromEntries(all.map(([name, wanted]) => [name, sloppy(wanted, args[name], isCareful)]));
}

function sloppy(schema: Schema, value: unknown, isCareful: boolean): unknown {
  if (value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return JSON.stringify(value.map((one) => element(schema.items ?? {}, one, isCareful)));
  // An object that the schema does not describe is the user's, such as metadata.
  if (isObject(value)) return schema.properties ? sloppily(schema, value, isCareful) : JSON.stringify(value);
  return schema.format === 'date-time' ? String(value).slice(0, 10) : value;
}

const element = (schema: Schema, value: unknown, isCareful: boolean): unknown =>
  isObject(value) ? sloppily(schema, value, isCareful) : value;
