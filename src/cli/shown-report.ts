import type { Claim, Fact, Report, State } from '../verifier/report.js';
import { printableLine } from './terminal.js';

/** Green, red, yellow and grey, as terminal codes. */
const colours: Readonly<Record<State, number>> = { verified: 32, failed: 31, 'not checked': 33, absent: 90 };

/** A report as text: what the receipt says below the claim that each line depends on, then the claims, then a sentence. */
export function shownReport({ receipt, claims }: Report, colour: boolean): string {
  const inColour = (state: State, text: string) => {
    return colour ? `\u001b[${colours[state]}m${text}\u001b[39m` : text;
  };
  const title = receipt ? `${titleOf(receipt)}\n` : '';
  const story = receipt ? storyLines(receipt, inColour) : [];
  const lines = claims.map(({ name, state, text }) => {
    return `${name.padEnd(14)}  ${inColour(state, state.padEnd(11))}  ${printableLine(text)}`;
  });
  return [title, ...story, ...lines, '', closing(claims)].join('\n');
}

/** On one line: an id with a line break in it must not look like a claim. */
function titleOf({ receipt_id, kind, recorded_at }: NonNullable<Report['receipt']>): string {
  return printableLine(`Receipt ${receipt_id}, ${kind}, recorded at ${recorded_at}`);
}

type InColour = (state: State, text: string) => string;

function storyLines(receipt: NonNullable<Report['receipt']>, inColour: InColour): string[] {
  const { sentence, facts } = receipt.story;
  const unreadable = unreadableFields(receipt);
  return [printableLine(sentence), '', ...(unreadable ? [unreadable, ''] : []), ...groups(facts, inColour)];
}

function unreadableFields({ kind, task, decision, close }: NonNullable<Report['receipt']>): string | null {
  if (task !== null && decision !== null && close !== null) return null;
  return `The fields of this ${task === null ? 'task receipt' : kind} cannot be read.`;
}

/** One value on each line; before the first line of each claim its name and state, and after the last one an empty line. */
function groups(facts: readonly Fact[], inColour: InColour): string[] {
  return facts.flatMap(({ name, values, claim, state }, at) => {
    const isFirst = facts[at - 1]?.claim !== claim;
    const isLast = facts[at + 1]?.claim !== claim;
    const lines = values.map((value, i) => `${(i === 0 ? name : '').padEnd(16)}  ${printableLine(value)}`);
    return [...(isFirst ? [`The ${claim} (${inColour(state, state)}):`] : []), ...lines, ...(isLast ? [''] : [])];
  });
}

const ways: Readonly<Partial<Record<Claim['name'], string>>> = {
  checkpoint: "give the log's key with --key",
  opentimestamps: 'give block headers with --headers, or wait until the calendars have answered',
  ethereum: 'give blocks that you trust, or a node, with --ethereum',
};

function closing(claims: readonly Claim[]): string {
  const failed = claims.filter(({ state }) => state === 'failed');
  if (failed.length > 0) return `Failed: ${failed.map(({ name }) => name).join(', ')}. Do not rely on this bundle.`;
  const open = claims.filter(({ state }) => state === 'not checked');
  if (open.length === 0) return 'Everything that the bundle claims was checked.';
  return `Not checked: ${open.map(({ name }) => `${name} (${ways[name] ?? 'see above'})`).join(', ')}.`;
}
