import { Refusal } from '../../../contracts/errors.js';
import type { RpcMessage } from '../../../contracts/rpc-messages.js';
import { isAllowed } from '../../api/allowed.js';
import { withNamespaces } from '../../api/namespaces/reached.js';
import { isObject } from '../../base/json-text.js';
import type { Completing, PromptDefinition, Registry } from '../registry.js';
import type { Calling, Tool } from '../tool.js';
import { meantArguments } from '../tools/meant.js';
import { agreedVersion, type Era, statelessVersions } from './eras.js';
import { cursorOf, onlyPage, required, wrong } from './parameters.js';
import { errorMembers, failedCall, refusedCall } from './refusals.js';
import { RpcError } from './rpc.js';

/** The server as clients show it to people. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly websiteUrl: string;
  /** Absent with the setting MCP_ICONS=off. */
  readonly icons?: Registry['icons'];
}

/** A request that is being answered. */
export interface Asking {
  readonly message: RpcMessage;
  readonly calling: Calling;
  readonly requestId: string;
  /** The refusal for anything that was thrown; the causes of failures are logged. */
  refused(error: unknown): Refusal;
  readonly registry: Registry;
  readonly server: ServerInfo;
}

interface Method {
  readonly eras: readonly Era[];
  /** How long a client of the stateless era may use the result again; absent where it may not be stored at all. */
  readonly ttlMs?: number;
  /** @throws Refusal, RpcError */
  answer(asking: Asking): Promise<object>;
}

const both = ['session', 'stateless'] as const;
/** The offers of the service change only with its version, or with the features of the workspace. */
const catalogueMs = 5 * 60_000;
const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };

const methods: Readonly<Record<string, Method>> = {
  initialize: {
    eras: ['session'],
    answer: async ({ message, registry, server, calling }) => ({
      protocolVersion: agreedVersion(message.params.protocolVersion),
      capabilities,
      serverInfo: server,
      instructions: await registry.instructions(calling),
    }),
  },
  ping: { eras: ['session'], answer: async () => ({}) },
  'server/discover': {
    eras: ['stateless'],
    ttlMs: catalogueMs,
    answer: async ({ registry, calling }) => ({
      supportedVersions: statelessVersions,
      capabilities,
      instructions: await registry.instructions(calling),
    }),
  },
  'tools/list': {
    eras: both,
    ttlMs: catalogueMs,
    answer: async ({ message, registry, calling }) => {
      onlyPage(message.params);
      return { tools: usable(calling, registry.tools).map(({ definition }) => definition) };
    },
  },
  'tools/call': { eras: both, answer: toolCall },
  'resources/list': {
    eras: both,
    ttlMs: 0,
    answer: async ({ message, registry, calling }) => {
      const cursor = cursorOf(message.params);
      return calling.caller.memoryApi ? registry.resources.list(cursor, calling) : { resources: [] };
    },
  },
  'resources/templates/list': {
    eras: both,
    ttlMs: catalogueMs,
    answer: async ({ message, registry, calling }) => {
      onlyPage(message.params);
      return { resourceTemplates: offered(calling, registry.resources.templates) };
    },
  },
  'resources/read': {
    eras: both,
    ttlMs: 0,
    answer: async ({ message, registry, calling }) => ({
      contents: await registry.resources.read(required(message.params, 'uri'), calling),
    }),
  },
  'prompts/list': {
    eras: both,
    ttlMs: catalogueMs,
    answer: async ({ message, registry, calling }) => {
      onlyPage(message.params);
      return { prompts: offered(calling, registry.prompts).map(({ definition }) => definition) };
    },
  },
  'prompts/get': { eras: both, answer: promptMethod },
  'completion/complete': { eras: both, answer: completionMethod },
};

/** @returns undefined for a method that does not exist, or not in that era */
export function methodOf(name: string, era: Era): Method | undefined {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return method?.eras.includes(era) ? method : undefined;
}

/** A workspace without the memory API is offered nothing. */
const offered = <T>({ caller }: Calling, all: readonly T[]): readonly T[] => (caller.memoryApi ? all : []);

/** The tools that the credential could ever call. */
const usable = (calling: Calling, tools: readonly Tool[]): readonly Tool[] =>
  offered(calling, tools).filter(({ needs }) => isAllowed(calling.caller, needs));

/** Calls a tool. What it refuses is a result that says what to do, unless the arguments are wrong. @throws Refusal, RpcError */
async function toolCall({ message, registry, calling, requestId, refused }: Asking): Promise<object> {
  const { params, argumentsText } = message;
  const name = required(params, 'name');
  // Some clients send null for a tool that takes none.
  const value = params.arguments ?? {};
  if (!isObject(value)) throw wrong('arguments', 'must be an object.');
  const text = params.arguments === null || argumentsText === '' ? '{}' : argumentsText;
  try {
    if (!calling.caller.memoryApi) throw new Refusal('feature_not_enabled');
    const tool = registry.tools.find(({ definition }) => definition.name === name);
    if (!tool) return unknownTool(name, usable(calling, registry.tools));
    const result = await tool.call(meantArguments(tool.definition.inputSchema, { value, text }), calling);
    return {
      content: [{ type: 'text', text: result.text }],
      structuredContent: result.structured,
      ...(result.error && errorMembers(result.error)),
    };
  } catch (error) {
    if (error instanceof RpcError || calling.signal.aborted) throw error;
    return refusedCall(await withNamespaces(refused(error), calling), requestId);
  }
}

function unknownTool(name: string, tools: readonly Tool[]): object {
  const names = tools.map(({ definition }) => definition.name);
  const shown = JSON.stringify(name.slice(0, 64).toWellFormed());
  return failedCall('unknown_tool', `There is no tool ${shown}. Call one of: ${names.join(', ')}.`, { tools: names });
}

/** Answers prompts/get. @throws Refusal */
async function promptMethod({ message, registry, calling }: Asking): Promise<object> {
  const name = required(message.params, 'name');
  const prompt = registry.prompts.find(({ definition }) => definition.name === name);
  if (!prompt)
    throw wrong('name', `must name a prompt: ${registry.prompts.map((one) => one.definition.name).join(', ')}.`);
  const { description, messages } = await prompt.get(
    promptArguments(prompt.definition, message.params.arguments),
    calling,
  );
  return {
    ...(description === undefined ? {} : { description }),
    messages: messages.map(({ role, text }) => ({ role, content: { type: 'text', text } })),
  };
}

/** Checks that all required arguments are given, each is a string, and none is unknown. @throws Refusal invalid_request */
function promptArguments(definition: PromptDefinition, sent: unknown): Readonly<Record<string, string>> {
  const given = sent ?? {};
  if (!isObject(given)) throw wrong('arguments', 'must be an object.');
  const names = definition.arguments.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw wrong('arguments', `has an unknown member. This prompt takes ${names.join(', ')}.`);
  const read: Record<string, string> = {};
  for (const argument of definition.arguments) {
    const value = given[argument.name] ?? undefined;
    if (value === undefined && !argument.required) continue;
    if (typeof value !== 'string') throw wrong(argument.name, 'must be a string.');
    read[argument.name] = value;
  }
  return read;
}

/** Answers completion/complete. @throws Refusal */
async function completionMethod({ message, registry, calling }: Asking): Promise<object> {
  const { ref, argument } = message.params;
  if (!isObject(argument)) throw wrong('argument', 'must be an object with name and value.');
  const { name, value } = argument;
  if (typeof name !== 'string') throw wrong('argument.name', 'must be a string.');
  if (typeof value !== 'string') throw wrong('argument.value', 'must be a string.');
  return { completion: await registry.complete({ of: referenceOf(ref), argument: { name, value } }, calling) };
}

function referenceOf(ref: unknown): Completing['of'] {
  if (isObject(ref) && ref.type === 'ref/prompt' && typeof ref.name === 'string')
    return { kind: 'prompt', name: ref.name };
  if (isObject(ref) && ref.type === 'ref/resource' && typeof ref.uri === 'string')
    return { kind: 'resource', uriTemplate: ref.uri };
  throw wrong('ref', 'must be {type: "ref/prompt", name} or {type: "ref/resource", uri}.');
}
