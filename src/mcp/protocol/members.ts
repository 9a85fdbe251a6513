import { isObject } from '../../base/json-text.js';

/**
 * Strict clients of a version fail on members that a later version has brought: SDK 1.18 for TypeScript on `icons`, early Java
 * clients on any. So an answer has only members of its version. The versions are dates, which compare as texts.
 */
type Since = Readonly<Record<string, string>>;

const titled = { title: '2025-06-18', _meta: '2025-06-18', icons: '2025-11-25' };
const content = { _meta: '2025-06-18' };
/** Of the arguments inside of prompts. */
const ofArguments = { title: '2025-06-18' };

/** The parts of results that have members of later versions, each with the version that has brought a member. */
const parts: Readonly<Record<string, Since>> = {
  serverInfo: { title: '2025-06-18', description: '2025-11-25', websiteUrl: '2025-11-25', icons: '2025-11-25' },
  capabilities: { completions: '2025-03-26' },
  tools: { ...titled, annotations: '2025-03-26', outputSchema: '2025-06-18', execution: '2025-11-25' },
  resources: { ...titled, size: '2025-03-26' },
  resourceTemplates: titled,
  prompts: titled,
  contents: content,
  content,
};

const results: Since = { structuredContent: '2025-06-18' };

/** The result without the members that its version does not have. */
export function forVersion(version: string, result: object): object {
  const shown = without(results, version, result);
  return mapMembers(shown, (name, value) => {
    const since = Object.hasOwn(parts, name) ? parts[name] : undefined;
    return since === undefined ? value : partFor(since, version, value);
  });
}

function partFor(since: Since, version: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => partFor(since, version, item));
  if (!isObject(value)) return value;
  return mapMembers(without(since, version, value), (name, member) =>
    name === 'arguments' ? partFor(ofArguments, version, member) : member,
  );
}

function without(since: Since, version: string, value: object): object {
  const members = Object.entries(value);
  const known = members.filter(([name]) => !Object.hasOwn(since, name) || (since[name] ?? '') <= version);
  return known.length === members.length ? value : Object.fromEntries(known);
}

function mapMembers(value: object, change: (name: string, member: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(name, member)]));
}
