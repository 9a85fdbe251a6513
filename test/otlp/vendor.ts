import { createServer } from 'node:http';
import { listen } from '../anchoring/http.js';

/** A vendor of a model: it answers chat completions, the first of a conversation with a call of a tool if there is one. */
export function startVendor() {
  return listen(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { tools = [], messages } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        const [tool] = tools;
        const isAnswered = messages.some(({ role }: { role: string }) => role === 'tool');
        const call = {
          id: 'call-1',
          type: 'function',
          function: { name: tool?.function.name, arguments: '{"city":"Ulm"}' },
        };
        const message =
          tool && !isAnswered
            ? { role: 'assistant', content: null, tool_calls: [call] }
            : { role: 'assistant', content: 'SECRET-ANSWER' };
        response.writeHead(200, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            id: 'chat-1',
            object: 'chat.completion',
            created: 1,
            model: 'gpt-test-2026',
            choices: [{ index: 0, message, finish_reason: message.content === null ? 'tool_calls' : 'stop' }],
            usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
          }),
        );
      });
    }),
  );
}
