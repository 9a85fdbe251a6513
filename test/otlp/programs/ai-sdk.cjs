// An agent with a tool, traced by the telemetry of the AI SDK.
const { createOpenAI } = require('@ai-sdk/openai');
const { generateText, stepCountIs, tool } = require('ai');
const { z } = require('zod');
const { startTracing } = require('./tracing.cjs');

const provider = startTracing('Weather desk');
const vendor = createOpenAI({ apiKey: 'none', baseURL: process.env.VENDOR_URL });

async function main() {
  await generateText({
    model: vendor.chat('gpt-test'),
    prompt: 'What is the weather? SECRET-PROMPT',
    tools: {
      weather: tool({
        description: 'The weather in a city',
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => ({ city, degrees: 21 }),
      }),
    },
    stopWhen: stepCountIs(3),
    experimental_telemetry: { isEnabled: true, functionId: 'weather-desk' },
  });
  await provider.shutdown();
}
main();
