// One call of a model, traced by @arizeai/openinference-instrumentation-openai.
const { OpenAIInstrumentation } = require('@arizeai/openinference-instrumentation-openai');
const OpenAI = require('openai');
const { startTracing } = require('./tracing.cjs');

const provider = startTracing('translator');
const instrumentation = new OpenAIInstrumentation({ tracerProvider: provider });
instrumentation.manuallyInstrument(OpenAI);
const client = new OpenAI({ apiKey: 'none', baseURL: process.env.VENDOR_URL });

async function main() {
  const messages = [{ role: 'user', content: 'Translate: SECRET-PROMPT' }];
  await client.chat.completions.create({ model: 'gpt-test', messages });
  await provider.shutdown();
}
main();
