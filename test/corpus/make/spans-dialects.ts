/** The attributes by which instrumentations name the same things. A value is a text, an integer or a list, as OTLP has them. */
export type Attributes = Readonly<Record<string, string | number>>;

export interface Dialect {
  readonly name: string;
  agent(name: string): Attributes;
  /** A call of a model with its tokens, which some instrumentations write as texts. */
  call(model: string, input: string | number, output: string | number): Attributes;
  tool(name: string): Attributes;
  embedding(model: string, input: number): Attributes;
}

/**
 * As these packages write them: the GenAI conventions of OpenTelemetry 1.37 and of 1.27, OpenLLMetry 0.47, OpenInference 0.1.66,
 * AI SDK 6 and Pydantic AI 2.68.
 */
export const dialects: readonly Dialect[] = [
  {
    name: 'genai',
    agent: (name) => ({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': name,
      'gen_ai.provider.name': 'x',
    }),
    call: (model, input, output) => ({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': output,
    }),
    tool: (name) => ({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name }),
    embedding: (model, input) => ({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': input,
    }),
  },
  {
    name: 'genai-early',
    agent: (name) => ({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.system': 'x', 'gen_ai.agent.name': name }),
    call: (model, input, output) => ({
      'gen_ai.system': 'x',
      'gen_ai.request.model': model,
      'gen_ai.usage.prompt_tokens': input,
      'gen_ai.usage.completion_tokens': output,
    }),
    tool: (name) => ({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.system': 'x', 'gen_ai.tool.name': name }),
    embedding: (model, input) => ({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.request.model': model,
      'gen_ai.usage.prompt_tokens': input,
    }),
  },
  {
    name: 'openllmetry',
    agent: (name) => ({ 'traceloop.span.kind': 'agent', 'gen_ai.agent.name': name, 'traceloop.entity.name': name }),
    call: (model, input, output) => ({
      'llm.request.type': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.usage.prompt_tokens': input,
      'gen_ai.usage.completion_tokens': output,
    }),
    tool: (name) => ({ 'traceloop.span.kind': 'tool', 'traceloop.entity.name': name }),
    embedding: (model, input) => ({
      'llm.request.type': 'embedding',
      'gen_ai.request.model': model,
      'gen_ai.usage.prompt_tokens': input,
    }),
  },
  {
    name: 'openinference',
    agent: (name) => ({ 'openinference.span.kind': 'AGENT', 'gen_ai.agent.name': name }),
    call: (model, input, output) => ({
      'openinference.span.kind': 'LLM',
      'llm.model_name': model,
      'llm.token_count.prompt': input,
      'llm.token_count.completion': output,
    }),
    tool: (name) => ({ 'openinference.span.kind': 'TOOL', 'tool.name': name }),
    embedding: (model, input) => ({
      'openinference.span.kind': 'EMBEDDING',
      'embedding.model_name': model,
      'llm.token_count.prompt': input,
    }),
  },
  {
    name: 'ai-sdk',
    agent: (name) => ({ 'ai.operationId': 'ai.generateText', 'gen_ai.agent.name': name, 'ai.model.id': 'asked' }),
    call: (model, input, output) => ({
      'ai.operationId': 'ai.generateText.doGenerate',
      'gen_ai.request.model': model,
      'ai.model.id': 'asked',
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': output,
    }),
    tool: (name) => ({ 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': name }),
    embedding: (model, input) => ({ 'ai.operationId': 'ai.embed', 'ai.model.id': model, 'ai.usage.tokens': input }),
  },
  {
    name: 'pydantic-ai',
    agent: (name) => ({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': name,
      'gen_ai.usage.input_tokens': 999,
    }),
    call: (model, input, output) => ({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': output,
    }),
    tool: (name) => ({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, 'logfire.msg': 'x' }),
    embedding: (model, input) => ({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.response.model': model,
      'gen_ai.usage.input_tokens': input,
    }),
  },
];
