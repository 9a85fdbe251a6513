import { type Faults, shown } from './faults.js';

/** The value of an attribute. An integer beyond the safe ones is a string of digits, and bytes are base64. */
export type AttributeValue =
  | string
  | number
  | boolean
  | null
  | readonly AttributeValue[]
  | { readonly [name: string]: AttributeValue };

export type Attributes = ReadonlyMap<string, AttributeValue>;

/**
 * The attributes that a receipt is made of, each with its names in the order of preference: first those of the GenAI semantic
 * conventions, then their older names, then those of instrumentations that have names of their own.
 */
export const names = {
  agent: ['gen_ai.agent.name'],
  model: ['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'embedding.model_name'],
  // Of the AI SDK, whose calls of other models state the model that answered too.
  embedder: ['ai.model.id'],
  session: ['gen_ai.conversation.id', 'session.id'],
  error: ['error.type'],
  tool: ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'traceloop.entity.name'],
  arguments: ['gen_ai.tool.call.arguments', 'input.value', 'ai.toolCall.args', 'traceloop.entity.input'],
  result: ['gen_ai.tool.call.result', 'output.value', 'ai.toolCall.result', 'traceloop.entity.output'],
  input: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    // Of the AI SDK's embeddings.
    'ai.usage.tokens',
  ],
  output: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  cacheRead: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'llm.token_count.prompt_details.cache_read',
  ],
  cacheWrite: [
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.details.cache_write_tokens',
    'llm.token_count.prompt_details.cache_write',
  ],
  cost: ['gen_ai.usage.cost', 'gen_ai.usage.total_cost', 'gen_ai.usage.cost_usd', 'llm.cost.total', 'operation.cost'],
} as const satisfies Record<string, readonly string[]>;

/** The kinds of spans of instrumentations that do not name the operation as the conventions do. */
const kindsAsWritten: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'openinference.span.kind': {
    AGENT: 'invoke_agent',
    CHAIN: 'invoke_workflow',
    TOOL: 'execute_tool',
    LLM: 'chat',
    EMBEDDING: 'embeddings',
    RETRIEVER: 'retrieval',
    RERANKER: 'rerank',
    GUARDRAIL: 'guardrail',
    EVALUATOR: 'evaluate',
  },
  'traceloop.span.kind': { workflow: 'invoke_workflow', agent: 'invoke_agent', tool: 'execute_tool', task: 'task' },
  'llm.request.type': { chat: 'chat', completion: 'text_completion', embedding: 'embeddings' },
  'ai.operationId': {
    'ai.generateText': 'invoke_agent',
    'ai.streamText': 'invoke_agent',
    'ai.generateObject': 'invoke_agent',
    'ai.streamObject': 'invoke_agent',
    'ai.toolCall': 'execute_tool',
    'ai.embed': 'embeddings',
    'ai.embedMany': 'embeddings',
    'ai.embed.doEmbed': 'embeddings',
    'ai.embedMany.doEmbed': 'embeddings',
  },
};

/** The same in small letters, as instrumentations that set these attributes by hand write other capitals. */
const kinds: Readonly<Record<string, ReadonlyMap<string, string>>> = Object.fromEntries(
  Object.entries(kindsAsWritten).map(([name, kind]) => [
    name,
    new Map(Object.entries(kind).map(([written, operation]) => [written.toLowerCase(), operation])),
  ]),
);

/** The operations that a receipt is made of or names in its summary, by their names in small letters. Other names may be anything. */
export const knownOperations: ReadonlyMap<string, string> = new Map(
  [
    ...['invoke_agent', 'invoke_workflow', 'create_agent', 'execute_tool', 'chat', 'text_completion'],
    ...['generate_content', 'embeddings', 'retrieval'],
  ].map((name) => [name, name]),
);

const operationName = 'gen_ai.operation.name';

/** Every attribute of a span that is read. Decoders skip all other attributes. */
export const spanAttributes: ReadonlySet<string> = new Set([
  operationName,
  ...Object.keys(kinds),
  ...Object.values(names).flat(),
]);

const serviceName = 'service.name';

/** Every attribute of a resource that is read. */
export const resourceAttributes: ReadonlySet<string> = new Set([serviceName]);

/** The attributes whose values are hashed, of any type. */
export const hashedAttributes: ReadonlySet<string> = new Set([...names.arguments, ...names.result]);

/** The name of a service; empty when there is none. A number is taken as it is written. */
export function serviceNameOf(attributes: Attributes, faults: Pick<Faults, 'note'>): string {
  const value = attributes.get(serviceName) ?? '';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  faults.note(`${serviceName} is ${shown(value)}, which is no name`);
  return '';
}

/** The operation of a GenAI span; undefined for any other span. */
export function operationOf(attributes: Attributes): string | undefined {
  const named = attributes.get(operationName);
  if (typeof named === 'string' && named !== '') return knownOperations.get(named.trim().toLowerCase()) ?? named;
  for (const [name, operations] of Object.entries(kinds)) {
    const kind = attributes.get(name);
    const operation = typeof kind === 'string' ? operations.get(kind.toLowerCase()) : undefined;
    if (operation !== undefined) return operation;
  }
  // A call of a model by an instrumentation of an early version of the conventions.
  if (attributes.has('gen_ai.request.model')) return 'chat';
  const usesTokens = [...attributes.keys()].some((name) => name.startsWith('gen_ai.usage.'));
  if (!usesTokens) return undefined;
  if (attributes.has('gen_ai.tool.name')) return 'execute_tool';
  return attributes.has('gen_ai.agent.name') ? 'invoke_agent' : undefined;
}

/** The attributes that would name the operation and whose values are no names, as the end of a sentence. */
export function unclearOperation(attributes: Attributes): string | undefined {
  for (const name of [operationName, ...Object.keys(kinds)]) {
    const value = attributes.get(name) ?? null;
    if (value !== null && typeof value !== 'string') return `${name} is ${shown(value)}, which is no name`;
  }
  return attributes.get(operationName) === '' ? `${operationName} is empty` : undefined;
}

/** Whether a span without an operation has attributes that only GenAI spans have. */
export function namesGenAi(attributes: Attributes): boolean {
  return [...attributes.keys()].some((name) => /^(?:gen_ai|llm|ai|openinference|traceloop)\./.test(name));
}

/** The first non-empty text among the attributes of these names. A number is taken as it is written. */
export function textOf(attributes: Attributes, of: keyof typeof names): string | undefined {
  for (const name of names[of]) {
    const value = attributes.get(name);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}

/** The first number from 0 among the attributes of these names. Some instrumentations write it as a text. */
export function numberOf(attributes: Attributes, of: keyof typeof names): number | undefined {
  for (const name of names[of]) {
    const value = countOf(attributes.get(name));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** @returns undefined for what is no number from 0 */
export function countOf(value: AttributeValue | undefined): number | undefined {
  const isWritten = typeof value === 'string' && /^\s*\d{1,15}(?:\.\d{1,20})?(?:e-?\d{1,2})?\s*$/i.test(value);
  const number = isWritten ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && Number.isFinite(number) ? number : undefined;
}

/** The first of the attributes of these names, of any type. */
export function anyOf(attributes: Attributes, of: keyof typeof names): AttributeValue | undefined {
  for (const name of names[of]) {
    const value = attributes.get(name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}
