/** Why spans were refused, how many, and which; the answer names only the first of them. */
export type RefusedSpans = ReadonlyMap<string, { readonly count: number; readonly examples: readonly string[] }>;

const mostExamples = 5;
const mostReasons = 20;

/** Counts refused spans by their reason. */
export function createRefusedSpans() {
  const reasons = new Map<string, { count: number; examples: string[] }>();
  const add = (reason: string, example?: string, count = 1): void => {
    // Reasons have ids of a caller in them, so their number has a bound.
    const key = reasons.has(reason) || reasons.size < mostReasons ? reason : 'other reasons';
    const found = reasons.get(key) ?? { count: 0, examples: [] };
    reasons.set(key, found);
    found.count += count;
    if (example !== undefined && found.examples.length < mostExamples) found.examples.push(example);
  };
  return {
    add,
    addAll(others: RefusedSpans): void {
      for (const [reason, { count, examples }] of others) {
        add(reason, examples[0], count);
        for (const example of examples.slice(1)) add(reason, example, 0);
      }
    },
    spans: (): RefusedSpans => reasons,
  };
}

export type Refused = ReturnType<typeof createRefusedSpans>;

export function countOf(refused: RefusedSpans): number {
  return [...refused.values()].reduce((sum, { count }) => sum + count, 0);
}

/** The sentences for the answer, one for each reason. */
export function sentencesOf(refused: RefusedSpans): string {
  return Array.from(refused, ([reason, { count, examples }]) => {
    const more = examples.length < count ? ', …' : '';
    const which = examples.length === 0 ? '' : ` (${examples.join(', ')}${more})`;
    return `${count} ${count === 1 ? 'span' : 'spans'} refused: ${reason}${which}.`;
  }).join(' ');
}

/** The sentences about members and values that were not understood, one for each. */
export function remarksOf(remarks: RefusedSpans): string {
  return Array.from(remarks, ([remark, { count }]) => `${count > 1 ? `${count} times` : 'Once'}: ${remark}.`).join(' ');
}
