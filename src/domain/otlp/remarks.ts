import { type Attributes, type AttributeValue, countOf, names } from './attributes.js';
import { shown } from './faults.js';

const texts = ['agent', 'model', 'session', 'error'] as const;
const counts = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/**
 * The attributes of a GenAI span whose values are not what their names say, each as the end of a sentence about the span. Its receipt
 * is recorded without them, and the answer says so.
 */
export function misunderstood(
  attributes: Attributes,
  { isTool, hasUsage }: { readonly isTool: boolean; readonly hasUsage: boolean },
): string[] {
  const remarks = [...texts, ...(isTool ? (['tool'] as const) : [])].flatMap((of) =>
    wrongOf(attributes, names[of], isName).map(([name, value]) => `${name} is ${shown(value)}, which is no name`),
  );
  if (!hasUsage) return remarks;
  const isWhole = (value: AttributeValue) => Number.isSafeInteger(countOf(value));
  const isCost = (value: AttributeValue) => countOf(value) !== undefined;
  return [
    ...remarks,
    ...counts.flatMap((of) =>
      wrongOf(attributes, names[of], isWhole).map(
        ([name, value]) => `${name} is ${shown(value)}, which counts no tokens`,
      ),
    ),
    ...wrongOf(attributes, names.cost, isCost).map(([name, value]) => `${name} is ${shown(value)}, which is no amount`),
  ];
}

function isName(value: AttributeValue): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** An attribute without a value is absent. */
function wrongOf(
  attributes: Attributes,
  of: readonly string[],
  isRight: (value: AttributeValue) => boolean,
): (readonly [string, AttributeValue])[] {
  return of.flatMap((name) => {
    const value = attributes.get(name) ?? null;
    return value === null || isRight(value) ? [] : [[name, value] as const];
  });
}
