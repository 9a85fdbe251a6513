import type { Calling } from '../tool.js';
import type { Asking } from './asking.js';
import { toolCall } from './call-tool.js';
import { completionMethod } from './complete.js';
import { agreedVersion, type Era, statelessVersions } from './eras.js';
import { promptMethod } from './get-prompt.js';
import { cursorOf, onlyPage, required } from './parameters.js';

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
    answer: async ({ message, registry, server }) => ({
      protocolVersion: agreedVersion(message.params.protocolVersion),
      capabilities,
      serverInfo: server,
      instructions: registry.instructions,
    }),
  },
  ping: { eras: ['session'], answer: async () => ({}) },
  'server/discover': {
    eras: ['stateless'],
    ttlMs: catalogueMs,
    answer: async ({ registry }) => ({
      supportedVersions: statelessVersions,
      capabilities,
      instructions: registry.instructions,
    }),
  },
  'tools/list': {
    eras: both,
    ttlMs: catalogueMs,
    answer: async ({ message, registry, calling }) => {
      onlyPage(message.params);
      return { tools: offered(calling, registry.tools).map(({ definition }) => definition) };
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
