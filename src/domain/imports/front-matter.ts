import { NoMapping, NotYaml, type YamlMembers, yamlMembers } from './yaml-members.js';

/** The two parts of a note: its front matter and its text. */
interface DividedNote {
  /** The front matter without the lines of hyphens; null for a note that has none. */
  readonly front: string | null;
  /** Everything behind the front matter. */
  readonly body: string;
}

/** The end of a line as any system writes it. */
export const lineEnd = /\r\n?|\n/;

/** Divides a note at the first two lines of three hyphens, if it begins with one. */
export function divideNote(text: string): DividedNote {
  const opening = /^---[ \t]*(?:\r\n?|\n)/.exec(text);
  if (!opening) return { front: null, body: text };
  const from = opening[0].length;
  // The line end before the closing line belongs to the front matter, which may be empty.
  const closing = /(?<=[\r\n])---[ \t]*(?:\r\n?|\n|$)/g;
  closing.lastIndex = from;
  const found = closing.exec(text);
  if (!found) return { front: null, body: text };
  return { front: text.slice(from, found.index), body: text.slice(found.index + found[0].length) };
}

/** The largest front matter that is read as YAML, in characters. Metadata of 64 KiB could not hold more. */
const mostRead = 64 * 1024;

/** Front matter as the members of its mapping, or a sentence that says why it is only a text. */
type ReadFrontMatter = YamlMembers | UnreadFrontMatter;

interface UnreadFrontMatter {
  readonly unread: string;
  /** Whether it belongs to the text: it is too long for metadata, or no front matter at all. */
  readonly isText: boolean;
}

export function readFrontMatter(text: string): ReadFrontMatter {
  if (text.length > mostRead) {
    return { unread: `it has more than ${mostRead.toLocaleString('en')} characters`, isText: true };
  }
  try {
    return yamlMembers(text);
  } catch (error) {
    if (error instanceof NotYaml) return { unread: error.message, isText: error instanceof NoMapping };
    throw error;
  }
}

/** A sentence about the beginning of a text that looks like front matter and is none; null for every other text. */
export function likeFrontMatter(body: string): string | null {
  if (/^---[ \t]*[\r\n]/.test(body))
    return 'it begins with a line of three hyphens, and no second one ends the front matter: all of it is text';
  return /^\+\+\+[ \t]*[\r\n]/.test(body) ? 'its front matter is TOML, which is not read: it stays in the text' : null;
}
