import { type ErrorCode, errors, Refusal } from '../../contracts/errors.js';
import { isObject } from '../../src/base/json-text.js';
import type { Registry } from '../../src/mcp/registry.js';
import type { Calling, Tool } from '../../src/mcp/tool.js';

/** The calls that have reached a tool, in order. */
export const called: { readonly name: string; readonly text: string; readonly calling: Calling }[] = [];

const codeOf = (name: unknown): ErrorCode => {
  const found = Object.keys(errors).find((code): code is ErrorCode => code === name);
  if (!found) throw new Error(`no such code: ${String(name)}`);
  return found;
};

const tool = (name: string, call: Tool['call']): Tool => ({
  needs: { access: 'memory.read' },
  definition: {
    name,
    title: name,
    description: name,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: {},
  },
  call(args, calling) {
    called.push({ name, text: args.text, calling });
    return call(args, calling);
  },
});

const refuseAs = (value: Readonly<Record<string, unknown>>): never => {
  const { code, details, fail } = value;
  if (fail !== undefined) throw new Error('a secret of the service');
  throw new Refusal(codeOf(code), undefined, isObject(details) ? details : {});
};

/** Allows the tool to continue that waits. */
export const gate = { open: (): void => undefined };
/** The writes that have come to their end. */
export const written: string[] = [];

/** A registry whose tools do what their arguments say. */
export const registry: Registry = {
  instructions: async () => 'Do as the tests say.',
  websiteUrl: 'https://memory.example.org',
  icons: [],
  tools: [
    tool('echo', async ({ value, text }) => ({ text, structured: value })),
    tool('nothing_done', async () => ({ text: 'no', structured: {}, error: { code: 'plan_limit', details: {} } })),
    tool('refuse', async ({ value }) => refuseAs(value)),
    tool('wait', async (_args, { signal }) => {
      await new Promise<void>((resolve) => {
        gate.open = resolve;
        signal.addEventListener('abort', () => resolve());
      });
      signal.throwIfAborted();
      return { text: 'waited', structured: {} };
    }),
    tool('write', async ({ text }) => {
      await new Promise<void>((resolve) => {
        gate.open = resolve;
      });
      written.push(text);
      return { text: 'written', structured: {} };
    }),
  ],
  resources: {
    templates: [{ uriTemplate: 'memory://{id}', name: 'Memory' }],
    list: async (cursor) => ({
      resources: [{ uri: 'memory://1', name: '1' }],
      ...(cursor === undefined ? { nextCursor: 'c' } : {}),
    }),
    read: async (uri) => {
      if (uri !== 'memory://1') throw new Refusal('memory_not_found', 'uri: there is no such memory.');
      return [{ uri, mimeType: 'text/plain', text: 'one' }];
    },
  },
  prompts: [
    {
      definition: {
        name: 'with_memory',
        title: 'With memory',
        description: 'd',
        arguments: [
          { name: 'question', description: 'q', required: true },
          { name: 'max_tokens', description: 'm', required: false },
        ],
      },
      get: async (args) => ({ messages: [{ role: 'user', text: JSON.stringify(args) }] }),
    },
  ],
  complete: async ({ of, argument }) => ({ values: [`${of.kind}:${argument.name}:${argument.value}`] }),
};
