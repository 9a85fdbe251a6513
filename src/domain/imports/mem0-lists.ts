import { elementTexts, isObject } from '../../base/json-text.js';
import { exportFormat } from '../export-pages.js';
import type { JsonObject } from '../read-json.js';
import { NotImportable } from './imported.js';
import { readObject, textMembers } from './mem0.js';
import { type PageFacts, pageFacts } from './pages.js';

/** The members that hold the list: of get_all and search, of OpenMemory, of the command line, of the migration script, of pages. */
const lists = ['results', 'memories', 'data', 'records', 'items'] as const;

/** One value of a file of mem0. */
interface Mem0Value {
  /** The JSON texts of the memories. */
  readonly records: readonly string[];
  /** Its statements about other pages. */
  readonly page: PageFacts | null;
  /** Sentences about what it holds besides and is not read, and about what was taken for the whole. */
  readonly assumed: readonly string[];
}

/**
 * The memories of one value: a list, an object with a list in one of the members above, the envelope of a command with one memory, or
 * one memory.
 * @throws NotImportable
 */
export function readMem0Value(text: string): Mem0Value {
  const isList = text.startsWith('[');
  const { value, texts } = readObject(isList ? `{"results":${text}}` : text);
  if (value.format === exportFormat)
    throw new NotImportable('it is an export of this service: import it without --from');
  // A record with a text is a memory, also if it has lists.
  const list = typeof value.memory === 'string' ? undefined : lists.find((name) => Array.isArray(value[name]));
  if (list !== undefined) {
    const records = elementTexts(texts.get(list) ?? '[]');
    return { records, page: isList ? null : pageFacts(value, records.length), assumed: assumedOf(value, list) };
  }
  const inside = lists.find((name) => isObject(value[name]));
  // The envelope of a command with one memory, or with a page of them.
  if (inside !== undefined && !hasText(value)) return readMem0Value(texts.get(inside) ?? '{}');
  const unknown = Object.keys(value).find((name) => Array.isArray(value[name]));
  if (unknown !== undefined && !hasText(value)) throw new NotImportable(otherList(unknown));
  return { records: [text], page: null, assumed: [] };
}

const hasText = (value: JsonObject['value']): boolean => textMembers.some((name) => typeof value[name] === 'string');

const otherList = (name: string): string =>
  `memory is not a text, and of its lists none is read: there is one in ${name.slice(0, 40)}, and lists are read from ${lists.join(', ')}`;

function assumedOf(value: JsonObject['value'], read: string): string[] {
  const others = Object.keys(value).filter((name) => {
    const other = value[name];
    return name !== read && Array.isArray(other) && other.length > 0;
  });
  const { command } = value;
  return [
    ...(others.length === 0
      ? []
      : [
          `not read: ${others
            .slice(0, 12)
            .map((name) => name.slice(0, 40))
            .join(', ')}`,
        ]),
    ...(command === 'list' || command === 'search'
      ? [`mem0 ${command} writes one page and does not say whether there are others: taken for the whole`]
      : []),
  ];
}
