import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A question about a fact that was stated again later, or that is like another one. */
export interface Case {
  readonly kind: Kind;
  /** How its memories are written: notes, chat, tickets or records. */
  readonly style: string;
  /** In the order of writing. */
  readonly memories: readonly string[];
  readonly query: string;
  readonly right: string;
  /** Superseded, or about another thing. */
  readonly wrong: readonly string[];
  /** Whether it belongs to the half on which no rule may be chosen: every second case of each file. */
  readonly isHeldOut: boolean;
}

/** `updates`: the newest text is right. `twins`: texts are alike, but about different things, and either may be right. */
export type Kind = 'updates' | 'twins';

/**
 * The cases of all files of a directory that are named `KIND-STYLE.txt`. An empty line ends a case; `+` is the right memory, `-` a
 * wrong one, `.` another one, and `>` the question.
 */
export function readCases(directory: string): Case[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => {
      const [kind, style = ''] = name.slice(0, -'.txt'.length).split('-');
      return casesIn(readFileSync(join(directory, name), 'utf8'), kind === 'twins' ? 'twins' : 'updates', style);
    });
}

function casesIn(file: string, kind: Kind, style: string): Case[] {
  return file
    .split('\n\n')
    .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
    .map((lines, i) => {
      const marked = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
      const [right, query] = [marked('+')[0], marked('>')[0]];
      if (right === undefined || query === undefined) throw new Error(`a case without answer or question: ${lines[0]}`);
      const memories = lines.filter((line) => !line.startsWith('>')).map((line) => line.slice(2));
      return { kind, style, memories, query, right, wrong: marked('-'), isHeldOut: i % 2 === 1 };
    });
}
