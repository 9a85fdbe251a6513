import { limits } from '../../../contracts/limits.js';
import { divideNote, likeFrontMatter, readFrontMatter } from './front-matter.js';
import { type ImportedMemory, importedMemory } from './imported.js';
import { longLines, observationsOf, relationsOf } from './note-lines.js';
import { jsonOfMembers, type YamlValue } from './yaml-members.js';

/** The largest metadata that an import sends, in characters: with more, observations and relations are left to the text. */
const mostMetadata = 32 * 1024;
/** Members of the origin that front matter may have too. */
const origin: readonly string[] = ['from', 'permalink', 'path', 'front_matter'];

/**
 * A note of basic-memory as one memory: the Markdown without its front matter, which becomes metadata. The observations and
 * relations of the note are metadata too, so that filters can use them; they stay in the text. Front matter that cannot be read is
 * kept as a text: in the metadata, or in the memory if it is too long for that.
 * @param path of the file in the directory of the notes
 */
export function readNote(path: string, text: string): ImportedMemory {
  const whole = text.startsWith('\ufeff') ? text.slice(1) : text;
  const { front, body } = divideNote(whole);
  const note = { path, body, members: none, frontMatter: null };
  if (front === null) {
    const remark = likeFrontMatter(whole);
    return memoryOf({ ...note, assumed: remark === null ? [] : [remark] });
  }
  const read = readFrontMatter(front);
  if (!('unread' in read)) {
    const memory = memoryOf({ ...note, ...read });
    if (Buffer.byteLength(memory.metadata) <= limits.metadataBytes) return memory;
    return withFrontMatter(path, whole, 'its metadata would have more than 64 KiB');
  }
  const kept = JSON.stringify(front);
  if (read.isText || kept.length > mostMetadata) return withFrontMatter(path, whole, read.unread);
  const assumed = [`its front matter is kept as the text imported.front_matter, because it is no YAML: ${read.unread}`];
  return memoryOf({ ...note, frontMatter: kept, assumed });
}

/** The note with its front matter in the text of the memory, where any of it can be found. */
function withFrontMatter(path: string, body: string, reason: string): ImportedMemory {
  const assumed = [`its front matter stays in the text of the memory: ${reason}`];
  return memoryOf({ path, body, members: none, frontMatter: null, assumed });
}

const none: ReadonlyMap<string, YamlValue> = new Map();

interface Note {
  readonly path: string;
  readonly body: string;
  readonly members: ReadonlyMap<string, YamlValue>;
  /** Front matter that is no YAML, as JSON text. */
  readonly frontMatter: string | null;
  readonly assumed: readonly string[];
}

function memoryOf({ path, body, members, frontMatter, assumed }: Note): ImportedMemory {
  const { known, others, unusable } = divided(members);
  const title = known.title ?? path.replace(/^.*\//s, '').replace(/\.md$/i, '');
  const permalink = known.permalink ?? path.replace(/\.md$/i, '');
  const about = { title, type: known.type ?? 'note', tags: known.tags };
  const notes = [
    ...assumed,
    ...unusable.map((name) => `${name} has no value that a note can have there: it is kept under imported`),
  ];
  const [observations, relations] = [observationsOf(body), relationsOf(body)];
  const parts = JSON.stringify({ ...about, observations, relations });
  if (parts.length > mostMetadata)
    notes.push('its observations and relations are too many for metadata: they stay in the text only');
  const long = longLines(body);
  if (long > 0)
    notes.push(`${long} long ${long === 1 ? 'line was' : 'lines were'} not searched for observations and relations`);
  return importedMemory({
    content: withTitle(title, trimmed(body)),
    metadata: parts.length <= mostMetadata ? parts : JSON.stringify(about),
    imported: importedJson({ permalink, path }, others, frontMatter),
    source: `basic-memory:${permalink}`,
    assumed: notes,
  });
}

interface Divided {
  readonly known: { title?: string; type?: string; permalink?: string; tags: readonly string[] };
  /** Everything else, in the order of the front matter. */
  readonly others: ReadonlyMap<string, YamlValue>;
  /** The names of the known members that have another kind of value. They are in `others` too. */
  readonly unusable: readonly string[];
}

function divided(members: ReadonlyMap<string, YamlValue>): Divided {
  const known: { title?: string; type?: string; permalink?: string; tags: readonly string[] } = { tags: [] };
  const others = new Map(members);
  const unusable: string[] = [];
  for (const name of ['title', 'type', 'permalink', 'tags'] as const) {
    const value = members.get(name);
    if (!value) continue;
    const text = value.json === 'null' ? '' : (value.text?.trim() ?? '');
    const isEmpty = value.json === 'null' || value.json === '[]' || value.text?.trim() === '';
    if (name === 'tags' && (value.text !== null || value.texts !== null)) {
      known.tags = tagsOf(value.texts ?? text.split(','));
    } else if (name !== 'tags' && text !== '') known[name] = text;
    else if (!isEmpty) {
      unusable.push(name);
      continue;
    }
    others.delete(name);
  }
  return { known, others, unusable };
}

const tagsOf = (given: readonly string[]): string[] =>
  given.map((tag) => tag.trim().replace(/^#/, '')).filter((tag) => tag !== '');

/** Members of the front matter that have the name of a member of the origin are kept in an object of their own. */
function importedJson(own: { permalink: string; path: string }, others: Divided['others'], frontMatter: string | null) {
  const clashes = [...others].filter(([name]) => origin.includes(name));
  const kept = clashes.length === 0 ? frontMatter : jsonOfMembers(clashes);
  const origins = Object.entries({ from: 'basic-memory', ...own });
  return jsonOfMembers([
    ...origins.map(([name, value]) => [name, { json: JSON.stringify(value) }] as const),
    ...[...others].filter(([name]) => !origin.includes(name)),
    ...(kept === null ? [] : [['front_matter', { json: kept }] as const]),
  ]);
}

/** Without the empty lines around it. The spaces at the beginning of its first line may mean a block of code. */
function trimmed(body: string): string {
  const first = body.search(/\S/);
  if (first < 0) return '';
  const before = body.slice(0, first);
  return body.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1).trimEnd();
}

/** Searches look at the text only, so it begins with the title. */
function withTitle(title: string, body: string): string {
  const heading = /^#\s+(.+)$/m.exec(body.slice(0, 2000))?.[1]?.trim();
  if (heading === title) return body;
  return body === '' ? `# ${title}` : `# ${title}\n\n${body}`;
}
