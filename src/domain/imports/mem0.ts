import { limits } from '../../../contracts/limits.js';
import { isObject, memberTexts } from '../../base/json-text.js';
import { type JsonObject, jsonObjectOrReason } from '../read-json.js';
import { type ImportedMemory, importedMemory, LeftOut, NotImportable } from './imported.js';

/** The members in which the versions of mem0 keep the text of a memory, and in which its command line looks for it. */
export const textMembers = ['memory', 'text', 'content', 'data'] as const;

/** The characters of one member, and of all of them, that are kept under `imported`. A vector has more, and says nothing to people. */
const longest = { member: 8 * 1024, all: 32 * 1024 };

/** The values of one list or record. A file of numbers alone would need gigabytes of memory. */
const mostValues = 4_000_000;

/**
 * A memory of mem0 from the JSON text of its record. All other members of the record are kept under `imported` as they are spelt:
 * an id beyond 2^53 is no other number there.
 * @throws NotImportable
 */
export function readMem0Record(text: string): ImportedMemory | LeftOut {
  const { value } = readObject(text);
  const deletion = deletionOf(value);
  const texts = memberTexts(text);
  const source = sourceOf(value.id, texts.get('id'));
  if (deletion !== null) return new LeftOut(deletion, source);
  const from = textMembers.find((name) => isText(value[name]));
  const content = from === undefined ? undefined : value[from];
  if (from === undefined || typeof content !== 'string') throw new NotImportable(withoutText(value));
  const { metadata } = value;
  if (metadata !== undefined && metadata !== null && !isObject(metadata)) {
    throw new NotImportable('metadata is neither an object nor null');
  }
  const own = isObject(metadata) ? (texts.get('metadata') ?? '{}') : '{}';
  const clash = isObject(metadata) && Object.hasOwn(metadata, 'imported');
  const { members, assumed } = otherMembers(value, texts, from);
  return importedMemory({
    content,
    // Metadata with a member of that name is kept whole, inside of the origin.
    metadata: clash ? '{}' : own,
    imported: `{${['"from":"mem0"', ...members, ...(clash ? [`"metadata":${own}`] : [])].join(',')}}`,
    source,
    assumed,
  });
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Why a memory is not there any more where it comes from; null for one that is. */
function deletionOf({ event, state, deleted_at }: JsonObject['value']): string | null {
  if (typeof event === 'string' && event.toUpperCase() === 'DELETE') return 'its event is DELETE';
  if (typeof state === 'string' && state.toLowerCase() === 'deleted') return 'its state is deleted';
  return isText(deleted_at) ? 'it has a time of deletion' : null;
}

function withoutText(value: JsonObject['value']): string {
  if (value.status === 'PENDING') return 'it is an event that mem0 had not finished, without a text';
  const names = Object.keys(value)
    .slice(0, 12)
    .map((name) => name.slice(0, 40));
  const members = names.length === 0 ? 'it has no members' : `its members are ${names.join(', ')}`;
  return `memory is not a text, nor is text, content or data: ${members}`;
}

/** An id that is a number keeps its digits. */
function sourceOf(id: unknown, text: string | undefined): string {
  if (typeof id === 'number' && text !== undefined) return `mem0:${text}`;
  return typeof id === 'string' && id !== '' ? `mem0:${id}` : 'mem0';
}

/** The other members, `"name":value` each. What is null says nothing. */
function otherMembers(value: JsonObject['value'], texts: ReadonlyMap<string, string>, from: string) {
  const members: string[] = [];
  const long: string[] = [];
  let characters = 0;
  for (const [name, text] of texts) {
    if (name === from || name === 'metadata' || value[name] === null || value[name] === undefined) continue;
    // The import has a member `from` of its own.
    const member = `${JSON.stringify(name === 'from' ? 'from_there' : name)}:${text}`;
    if (member.length > longest.member || characters + member.length > longest.all) long.push(name.slice(0, 40));
    else {
      characters += member.length;
      members.push(member);
    }
  }
  const assumed = long.length === 0 ? [] : [`too long to be kept under imported: ${long.slice(0, 12).join(', ')}`];
  return { members, assumed };
}

/** @throws NotImportable */
export function readObject(text: string): JsonObject {
  const read = jsonObjectOrReason(text, { depth: limits.jsonDepth, values: mostValues });
  if (typeof read === 'string') throw new NotImportable(read);
  return read;
}
