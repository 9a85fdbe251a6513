import { lineEnd } from './front-matter.js';

/** The lines of a note that mean something to basic-memory: observations and relations. */

interface Observation {
  readonly category: string | null;
  readonly content: string;
  readonly tags: readonly string[];
  readonly context: string | null;
}

interface Relation {
  readonly type: string;
  readonly target: string;
  readonly context: string | null;
}

/** Longer lines are prose. It bounds what the expressions below look at. */
const longestLine = 4096;

/** Items of lists: `- [category] text #tag (context)`. */
export function observationsOf(body: string): Observation[] {
  return linesOf(body).flatMap((line) => {
    const item = itemOf(line);
    return item === null ? [] : observation(item);
  });
}

/** `- type [[Target]] (context)` in lists; every other link has the type links_to. */
export function relationsOf(body: string): Relation[] {
  return linesOf(body).flatMap((line) => {
    const item = itemOf(line);
    const explicit = item === null ? null : explicitRelation(item);
    return explicit ? [explicit] : linksIn(line);
  });
}

/** Without the lines of code blocks and quotes. */
function linesOf(body: string): string[] {
  let isCode = false;
  return body.split(lineEnd).filter((line) => {
    const text = line.trimStart();
    const isFence = text.startsWith('```') || text.startsWith('~~~');
    if (isFence) isCode = !isCode;
    return !isCode && !isFence && !text.startsWith('>') && line.length <= longestLine;
  });
}

/** The number of lines that look like an item or have a link, but are too long to be looked at. */
export function longLines(body: string): number {
  if (body.length <= longestLine) return 0;
  const long = body.split(lineEnd).filter((line) => line.length > longestLine);
  return long.filter((line) => beginsItem.test(line.slice(0, longestLine)) || line.includes('[[')).length;
}

const beginsItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** A line may have other separators of lines in it, which end no line of a file, so the dot stands for them too. */
function itemOf(line: string): string | null {
  const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(\S.*)$/s.exec(line)?.[1]?.trim();
  return item ?? null;
}

function observation(item: string): Observation[] {
  const named = /^\[([^[\]()]+)\]\s+(\S.*)$/s.exec(item);
  const category = named?.[1]?.trim() ?? '';
  const isCategory = category !== '' && !isTime(category) && !isTask(category);
  const words = item.split(/\s+/).filter((word) => /^#[^#\s]/.test(word));
  if (!isCategory && (words.length === 0 || named || item.startsWith('[['))) return [];
  const { text, context } = withContext(isCategory ? (named?.[2] ?? '') : item);
  if (text === '') return [];
  return [{ category: isCategory ? category : null, content: text, tags: tagsIn(text), context }];
}

/** A time at the beginning of a line of a transcript is no category. */
const isTime = (category: string): boolean => /^[\d:.,\s-]+$/.test(category) && category.includes(':');

/** Marks of tasks, such as [x], [ ] and [/]. */
const isTask = (category: string): boolean => /^(?:[xX]|[^\p{L}\p{N}])$/u.test(category);

const tagsIn = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter((word) => word.startsWith('#'))
    .flatMap((word) => word.split('#').filter((tag) => tag !== ''));

function withContext(text: string): { text: string; context: string | null } {
  const opening = text.endsWith(')') ? text.lastIndexOf('(') : -1;
  if (opening < 0) return { text, context: null };
  return { text: text.slice(0, opening).trim(), context: text.slice(opening + 1, -1).trim() || null };
}

function explicitRelation(item: string): Relation | null {
  const [start, end] = [item.indexOf('[['), item.indexOf(']]')];
  if (start <= 0 || end < start) return null;
  const type = typeOf(item.slice(0, start).trim());
  const target = item.slice(start + 2, end).trim();
  const after = item.slice(end + 2).trim();
  const context = /^\(([^()]*)\)$/.exec(after)?.[1]?.trim() ?? null;
  if (type === null || target === '' || (after !== '' && context === null)) return null;
  return { type, target, context: context || null };
}

/** One word, or several in quotes. Several words without quotes are prose. */
function typeOf(label: string): string | null {
  const quoted = /^(["'])(.+)\1$/s.exec(label)?.[2]?.trim();
  if (quoted) return quoted;
  return label === '' || /\s/.test(label) ? null : label;
}

function linksIn(line: string): Relation[] {
  return [...line.matchAll(/\[\[([^[\]]+)\]\]/g)].flatMap(([, target = '']) =>
    target.trim() === '' ? [] : [{ type: 'links_to', target: target.trim(), context: null }],
  );
}
