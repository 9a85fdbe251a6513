// An agent with two calls of a model, traced by @opentelemetry/instrumentation-openai.
const { registerInstrumentations } = require('@opentelemetry/instrumentation');
const { OpenAIInstrumentation } = require('@opentelemetry/instrumentation-openai');
const { trace } = require('@opentelemetry/api');
const { startTracing } = require('./tracing.cjs');

const provider = startTracing('Concierge');
registerInstrumentations({ instrumentations: [new OpenAIInstrumentation()] });
const OpenAI = require('openai');

const client = new OpenAI({ apiKey: 'none', baseURL: process.env.VENDOR_URL });
const ask = (content) =>
  client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content }], max_tokens: 50 });

async function main() {
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'Concierge',
    'gen_ai.conversation.id': 'talk-1',
  };
  await trace.getTracer('app').startActiveSpan('invoke_agent Concierge', { attributes }, async (span) => {
    await ask('A table for two, please. SECRET-PROMPT');
    await ask('At eight.');
    span.end();
  });
  await provider.shutdown();
}
main();
