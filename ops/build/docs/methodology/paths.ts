import { z } from 'zod';
import type { Meaning } from '../../../../contracts/feeds/figure.js';

/** One value of a feed: `tickers[].price_usd` is a member of each row of a list. */
export interface FigurePath {
  readonly path: string;
  readonly meaning: Meaning;
}

const meaning = z.object({
  formula: z.string(),
  unit: z.string(),
  window: z.string(),
  whenNull: z.string().optional(),
  source: z.string(),
});

/** The parts of a JSON schema that lead to its values. */
const node = z.object({
  'x-figure': z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  $ref: z.string().optional(),
});

/** Shapes with a name, to which others refer. */
type Named = Readonly<Record<string, unknown>>;
const withNamed = z.object({ $defs: z.record(z.string(), z.unknown()).default({}) });

/**
 * Every value of a shape with its meaning.
 * @throws for a value without a meaning
 */
export function figurePaths(shape: z.ZodType): FigurePath[] {
  const schema = z.toJSONSchema(shape, { io: 'output', reused: 'inline' });
  return pathsOf(schema, '', withNamed.parse(schema).$defs);
}

function pathsOf(schema: unknown, path: string, named: Named): FigurePath[] {
  const { 'x-figure': given, properties, items, anyOf, $ref } = node.parse(schema);
  if (given !== undefined) return [{ path, meaning: exactly(given) }];
  if (properties) {
    return Object.entries(properties).flatMap(([name, one]) =>
      pathsOf(one, path === '' ? name : `${path}.${name}`, named),
    );
  }
  if (items !== undefined) return pathsOf(items, `${path}[]`, named);
  if ($ref !== undefined) return pathsOf(named[$ref.replace('#/$defs/', '')], path, named);
  const parts = (anyOf ?? []).filter((one) => z.object({ type: z.literal('null') }).safeParse(one).error !== undefined);
  if (parts.length === 0) throw new Error(`${path} has no meaning`);
  return parts.flatMap((one) => pathsOf(one, path, named));
}

function exactly(given: unknown): Meaning {
  const { whenNull, ...rest } = meaning.parse(given);
  return whenNull === undefined ? rest : { ...rest, whenNull };
}
