import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { sentence } from './words.js';

/** Of the words of a text, this share is made up: names, numbers and terms that a language has in addition to its common words. */
const madeUp = 0.12;

/**
 * Texts of English prose. Each word follows the one before it as in the documentation of this project, so common words,
 * inflections and pairs of words come as often as in a language. Some words are replaced by made-up ones that follow
 * Zipf's law, because a small source has too few rare words.
 */
export function proseOf(random: () => number): (bytes: number) => string {
  const words = readWords();
  const next = new Map<string, string[]>();
  for (const [i, word] of words.entries()) next.set(word, [...(next.get(word) ?? []), words[i + 1] ?? 'The']);
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? 'The';
  return (bytes) => {
    const text: string[] = [];
    for (let length = 0, word = pick(words); length < bytes; word = pick(next.get(word) ?? words)) {
      const shown = random() < madeUp ? sentence(random, 1, 1) : word;
      text.push(shown);
      length += shown.length + 1;
    }
    return text.join(' ');
  };
}

function readWords(): string[] {
  const folder = join(packageRoot, 'docs');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  return files.toSorted().flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8').replace(/```.*?```/gs, ' ');
    const prose = text.split('\n').filter((line) => /^[A-Za-z(]/.test(line));
    return prose.join(' ').match(/[A-Za-z]+[.,;:]?(?=\s)/g) ?? [];
  });
}
