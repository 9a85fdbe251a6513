/** Counts the results of an import and describes them. */
export interface Tally {
  written(): void;
  there(): void;
  refused(place: string, code: string, sentence: string): void;
  unknownNamespace(name: string): void;
  /** Records that the last page names a next one, which is missing. */
  missing(): void;
  any(): boolean;
  /** Whether all exported memories are in the service now. */
  complete(): boolean;
  summary(): string;
}

/** The number of refusals that are shown. Further ones are only counted, because they usually have the same reasons. */
const mostShown = 100;
const mostNames = 20;

/** @param say shows a line immediately */
export function createTally(say: (text: string) => void): Tally {
  let written = 0;
  let there = 0;
  let missing = false;
  let refusals = 0;
  const codes = new Map<string, number>();
  const unknown = new Set<string>();
  return {
    written: () => {
      written += 1;
    },
    there: () => {
      there += 1;
    },
    refused(place, code, sentence) {
      refusals += 1;
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (refusals <= mostShown) say(`${place}: ${code}: ${sentence}`);
      else if (refusals === mostShown + 1) say('Further refusals are counted only.');
    },
    unknownNamespace(name) {
      if (unknown.size <= mostNames) unknown.add(name);
    },
    missing: () => {
      missing = true;
    },
    any: () => written + there + refusals > 0,
    complete: () => refusals === 0 && !missing,
    summary() {
      const lines = [`Written: ${written}. Already there: ${there}. Refused: ${refusals}${byCode(codes)}.`];
      if (unknown.size > 0) lines.push(adviceOn([...unknown]));
      if (missing) lines.push('The last page names a next one that is not there: this is not the whole export.');
      return lines.join('\n');
    },
  };
}

function byCode(codes: ReadonlyMap<string, number>): string {
  if (codes.size === 0) return '';
  return ` (${[...codes].map(([code, count]) => `${code} ${count}`).join(', ')})`;
}

function adviceOn(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => JSON.stringify(name));
  const others = names.length > mostNames ? ' and others' : '';
  return [
    `There is no namespace ${shown.join(', ')}${others}. An admin who is signed in makes one with`,
    'POST /v1/namespaces {"name": "…"}; or --namespace puts every memory into one that is there. Then run this again.',
  ].join('\n');
}
