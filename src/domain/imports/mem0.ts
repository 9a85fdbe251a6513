import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { elementTexts, isObject, type JsonObject, readJsonObject, stringify } from '../json-text.js';
import { type ImportedMemory, importedMemory, NotImportable } from './imported.js';

/** The members of a memory of mem0 besides its text and metadata, in the order in which an import keeps it. */
const origin = [
  'id',
  'hash',
  'user_id',
  'agent_id',
  'app_id',
  'run_id',
  'actor_id',
  'role',
  'categories',
  'immutable',
  'expiration_date',
  'created_at',
  'updated_at',
] as const;

/** The members that hold the list in an answer of get_all or an export. */
const lists = ['results', 'memories'] as const;

/**
 * The JSON texts of the memories of one value: a list, an object with a list in `results` or `memories` as get_all answers it,
 * or one memory.
 * @throws NotImportable
 */
export function mem0Records(text: string): readonly string[] {
  if (text.startsWith('[')) return elementTexts(readObject(`{"results":${text}}`).texts.get('results') ?? '[]');
  const { value, texts } = readObject(text);
  const list = lists.find((name) => Array.isArray(value[name]));
  return list === undefined ? [text] : elementTexts(texts.get(list) ?? '[]');
}

/** @throws NotImportable */
export function readMem0Record(text: string): ImportedMemory {
  const { value, texts } = readObject(text);
  const { memory: content, metadata, id } = value;
  if (typeof content !== 'string' || content.trim() === '') throw new NotImportable('memory is not a text');
  if (metadata !== undefined && metadata !== null && !isObject(metadata)) {
    throw new NotImportable('metadata is neither an object nor null');
  }
  const known = origin.filter((name) => value[name] !== undefined && value[name] !== null);
  const members = ['"from":"mem0"', ...known.map((name) => `"${name}":${texts.get(name) ?? stringify(value[name])}`)];
  const own = isObject(metadata) ? (texts.get('metadata') ?? '{}') : '{}';
  const clash = isObject(metadata) && Object.hasOwn(metadata, 'imported');
  return importedMemory({
    content,
    // Metadata with a member of that name is kept whole, inside of the origin.
    metadata: clash ? '{}' : own,
    imported: `{${[...members, ...(clash ? [`"metadata":${own}`] : [])].join(',')}}`,
    source: typeof id === 'string' && id !== '' ? `mem0:${id}` : 'mem0',
  });
}

function readObject(text: string): JsonObject {
  try {
    return readJsonObject(text, { depth: limits.jsonDepth, values: Number.POSITIVE_INFINITY });
  } catch (error) {
    // The message of the refusal speaks of the body of a request, so another one is needed.
    if (error instanceof Refusal) {
      throw new NotImportable(
        `it is not JSON: not an object, or a key appears twice in an object, or it is nested deeper than ${limits.jsonDepth}`,
      );
    }
    throw error;
  }
}
