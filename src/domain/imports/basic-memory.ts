import { parse } from 'yaml';
import { isObject } from '../json-text.js';
import { type ImportedMemory, importedMemory, NotImportable } from './imported.js';
import { observationsOf, relationsOf } from './note-lines.js';

/** The largest front matter that is read, in characters. Metadata of 64 KiB could not hold more. */
const mostFrontMatter = 64 * 1024;
/** The largest metadata that an import sends, in characters: with more, observations and relations are left to the text. */
const mostMetadata = 32 * 1024;

/**
 * A note of basic-memory as one memory: the Markdown without its front matter, which becomes metadata. The observations and
 * relations of the note are metadata too, so that filters can use them; they stay in the text.
 * @param path of the file in the directory of the notes
 * @throws NotImportable
 */
export function readNote(path: string, text: string): ImportedMemory {
  const { front, body } = split(text.startsWith('\ufeff') ? text.slice(1) : text);
  const { title: given, type, permalink: link, tags: tagged, ...custom } = front === null ? {} : readFront(front);
  const stem = path.replace(/^.*\//, '').replace(/\.md$/i, '');
  const title = textOr(given, stem);
  const permalink = textOr(link, path.replace(/\.md$/i, ''));
  const content = withTitle(title, body.trim());
  const about = { title, type: textOr(type, 'note'), tags: tagsOf(tagged) };
  const [observations, relations] = [observationsOf(body), relationsOf(body)];
  const parts = JSON.stringify({ ...about, observations, relations });
  return importedMemory({
    content,
    metadata: parts.length <= mostMetadata ? parts : JSON.stringify(about),
    imported: jsonOf({ from: 'basic-memory', permalink, path, ...custom }),
    source: `basic-memory:${permalink}`,
  });
}

/** The front matter between the first two lines of three hyphens, if the text begins with one; null otherwise. */
function split(text: string): { front: string | null; body: string } {
  const opening = /^---[ \t]*\r?\n/.exec(text);
  if (!opening) return { front: null, body: text };
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (!closing) return { front: null, body: text };
  return { front: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length) };
}

function readFront(text: string): Record<string, unknown> {
  if (text.length > mostFrontMatter) {
    throw new NotImportable(`its front matter has more than ${mostFrontMatter.toLocaleString('en')} characters`);
  }
  const value = parsed(text);
  if (value === null || value === undefined) return {};
  if (!isObject(value)) throw new NotImportable('its front matter is not a mapping');
  return value;
}

/** Few aliases are allowed, because a short text with many of them stands for a very long one. */
function parsed(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 10, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 200) : 'unreadable';
    throw new NotImportable(`its front matter is not YAML that an import reads: ${reason}`);
  }
}

/** Of a value that YAML has made, which may contain itself. */
function jsonOf(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new NotImportable('its front matter contains itself');
  }
}

function textOr(value: unknown, otherwise: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : otherwise;
}

/** A list, or a text with commas. */
function tagsOf(value: unknown): string[] {
  const given = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return given.flatMap((tag) => {
    const name = textOr(tag, '').replace(/^#/, '');
    return name === '' ? [] : [name];
  });
}

/** Searches look at the text only, so it begins with the title. */
function withTitle(title: string, body: string): string {
  const heading = /^#\s+(.+)$/m.exec(body.slice(0, 2000))?.[1]?.trim();
  if (heading === title) return body;
  return body === '' ? `# ${title}` : `# ${title}\n\n${body}`;
}
