import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/** A value of a mapping of YAML. */
export interface YamlValue {
  /** As JSON text. */
  readonly json: string;
  /** The text of a scalar as it is written, without quotes; null for a list, a mapping, and what is empty. */
  readonly text: string | null;
  /** The texts of the elements of a list of scalars; null for every other value. */
  readonly texts: readonly string[] | null;
}

export interface YamlMembers {
  readonly members: ReadonlyMap<string, YamlValue>;
  /** Sentences about what was not read as YAML means it. */
  readonly assumed: readonly string[];
}

/** Thrown for a text that is not one mapping of YAML within the limits below. The message is half a sentence that says why. */
export class NotYaml extends Error {}

/** A list, or words: rather a part of the text, between two rules, than front matter. */
export class NoMapping extends NotYaml {}

/** Aliases let a short text stand for a very long one, and for one that contains itself. */
const most = { levels: 24, values: 10_000, characters: 128 * 1024 };

/**
 * Reads a mapping of YAML 1.2. A number is a number where JSON writes it with the same characters; otherwise the text stays, because a
 * commit `45e2231` is not infinity, nor the version `2.10` the version 2.1, and 9007199254740995 is no other number. `true` and `false` in
 * any case are booleans. No key is taken twice, and tags of other types leave the text as it is.
 * @throws NotYaml
 */
export function yamlMembers(text: string): YamlMembers {
  const document = parsed(text.replace(/\r\n?/g, '\n'));
  const root = rootOf(document);
  const reader = new Reader();
  reader.noteComments(document);
  const members = root === null ? new Map() : reader.rootMembers(root);
  return { members, assumed: reader.remarks() };
}

function rootOf(document: ReturnType<typeof parsed>): YAMLMap | null {
  const [error] = document.errors;
  if (error) throw new NotYaml(reasonOf(error));
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return null;
  if (!isMap(contents)) throw new NoMapping('it is not a mapping of keys to values');
  return contents;
}

function parsed(text: string) {
  try {
    // Equal keys are found below: the library compares each key with every other one.
    return parseDocument(text, { version: '1.2', uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    // A text that is nested very deeply ends the stack.
    throw new NotYaml(error instanceof RangeError ? 'it is nested too deeply' : 'it is unreadable');
  }
}

/** The library says how its stack has ended, which says nothing to people. */
function reasonOf({ message }: Error): string {
  const [line = ''] = message.split('\n');
  return /call stack/i.test(line) ? 'it is nested too deeply' : line.slice(0, 200).replace(/:$/, '');
}

/** The comments before a node and behind it. */
interface Commented {
  readonly comment?: string | null | undefined;
  readonly commentBefore?: string | null | undefined;
}

class Reader {
  readonly #assumed = new Set<string>();
  readonly #comments: string[] = [];
  readonly #anchors = new Map<string, Node>();
  #values = 0;
  #characters = 0;

  rootMembers(root: YAMLMap): Map<string, YamlValue> {
    this.noteComments(root);
    return this.#membersOf(root, 0);
  }

  remarks(): string[] {
    if (this.#comments.length === 0) return [...this.#assumed];
    const shown = this.#comments.slice(0, 3).map((comment) => `#${comment.slice(0, 60)}`);
    return [...this.#assumed, `comments in its front matter are not read: ${shown.join(' ')}`];
  }

  /** A tag that is written as a value, `tags: #sea`, is a comment. */
  noteComments({ commentBefore, comment }: Commented): void {
    for (const text of [commentBefore, comment]) if (text !== undefined && text !== null) this.#comments.push(text);
  }

  #membersOf(map: YAMLMap, level: number): Map<string, YamlValue> {
    const members = new Map<string, YamlValue>();
    for (const { key: keyNode, value } of map.items) {
      const key = this.#keyOf(keyNode);
      if (members.has(key)) throw new NotYaml(`it has the key ${JSON.stringify(key.slice(0, 100))} twice`);
      if (key === '<<') this.#assumed.add('the merge key << stays a key, and what it names was not merged');
      members.set(key, this.#valueOf(value, level + 1));
    }
    return members;
  }

  #keyOf(node: unknown): string {
    const key = this.#resolved(node);
    if (!isScalar(key)) throw new NotYaml('it has a key that is no text');
    this.#noteTag(key.tag);
    return this.#storable(sourceOf(key));
  }

  #valueOf(given: unknown, level: number): YamlValue {
    const node = this.#resolved(given);
    this.#values += 1;
    if (level > most.levels) throw new NotYaml(`it is nested deeper than ${most.levels} levels, or contains itself`);
    if (this.#values > most.values) throw new NotYaml(`it stands for more than ${most.values} values`);
    if (isMap(node)) return { json: this.#objectOf(node, level), text: null, texts: null };
    if (isSeq(node)) return this.#listOf(node, level);
    return isScalar(node) ? this.#scalarOf(node) : { json: 'null', text: null, texts: null };
  }

  #objectOf(map: YAMLMap, level: number): string {
    this.#noteTag(map.tag);
    return jsonOfMembers(this.#membersOf(map, level));
  }

  #listOf(list: YAMLSeq, level: number): YamlValue {
    this.#noteTag(list.tag);
    const values = list.items.map((item) => this.#valueOf(item, level + 1));
    const texts = values.flatMap(({ text }) => (text === null ? [] : [text]));
    const isFlat = values.every(({ text, json }) => text !== null || json === 'null');
    return { json: `[${values.map(({ json }) => json).join(',')}]`, text: null, texts: isFlat ? texts : null };
  }

  #scalarOf(scalar: Scalar): YamlValue {
    const source = this.#storable(sourceOf(scalar));
    const isKnown = this.#noteTag(scalar.tag);
    const json = isKnown ? jsonOfScalar(scalar.value, source) : JSON.stringify(source);
    this.#characters += json.length;
    if (this.#characters > most.characters) throw new NotYaml(`it stands for more than ${most.characters} characters`);
    return { json, text: json === 'null' && /^~?$/.test(source) ? null : source, texts: null };
  }

  /** The node for which an alias stands. The anchors before it are known, because nodes are visited in the order of the text. */
  #resolved(node: unknown): unknown {
    if (isNode(node)) this.noteComments(node);
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (!target) throw new NotYaml('it has an alias without an anchor before it');
      return target;
    }
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) {
      this.#anchors.set(node.anchor, node);
    }
    return node;
  }

  /** @returns whether the value has no tag, or one whose meaning JSON has too */
  #noteTag(tag: string | undefined): boolean {
    if (tag === undefined || understood.has(tag)) return true;
    const shown = tag.replace('tag:yaml.org,2002:', '!!').slice(0, 100);
    this.#assumed.add(`the tag ${shown} was not applied, and the text behind it stays`);
    return false;
  }

  #storable(text: string): string {
    if (text.includes('\0') || !text.isWellFormed()) throw new NotYaml('it has a character that no text may have');
    return text;
  }
}

const understood = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
);

/** JSON text of an object with these members, in their order. */
export function jsonOfMembers(members: Iterable<readonly [string, { readonly json: string }]>): string {
  return `{${[...members].map(([key, { json }]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}

const sourceOf = ({ source, value }: Scalar): string => source ?? (typeof value === 'string' ? value : '');

function jsonOfScalar(value: unknown, source: string): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return /^(?:true|false)$/i.test(source) ? String(value) : JSON.stringify(source);
  if (typeof value === 'number' && JSON.stringify(value) === source) return source;
  return JSON.stringify(source);
}
