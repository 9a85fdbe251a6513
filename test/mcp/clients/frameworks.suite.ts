import { expect, it } from 'vitest';
import { everyTool } from './calls.js';
import { type Desk, everyAnswer, memories } from './desk.js';
import { node22, runIn, runProgram } from './run-client.js';

interface Named {
  readonly name: string;
}
const names = (tools: readonly Named[]) => tools.map(({ name }) => name).sort();
const allNames = names(everyTool);
const expectAnswers = (texts: readonly string[]) => {
  expect(texts).toHaveLength(everyAnswer.length);
  for (const [at, pattern] of everyAnswer.entries()) expect(texts[at]).toMatch(pattern);
};

/** Agent frameworks and the inspector, as they are installed from their registries. */
export const frameworks = (desk: () => Desk) => {
  // @covers MCP-CLIENT-STRICT
  it.each([
    'openai-agents.mjs',
    'openai_agents.py',
  ])('an agent of the OpenAI Agents SDK calls every tool: %s', async (program) => {
    const { tools, outputs } = await runProgram(program, desk());
    expect(names(tools)).toEqual(allNames);
    // Tools with an argument of free members (metadata) have no strict form, and the SDK offers them as they are.
    const strict = ['forget', 'get_context', 'list_subscriptions', 'unsubscribe'];
    expect(names(tools.filter((tool: { strict: boolean }) => tool.strict))).toEqual(strict);
    expectAnswers(outputs);
  });

  // @covers MCP-CLIENT-LANGCHAIN
  it('an agent of LangGraph calls every tool, as the adapters of LangChain load them', async () => {
    const { tools, outputs } = await runProgram('langchain.mjs', desk());
    expect(names(tools)).toEqual(allNames);
    expect(outputs).toEqual(outputs.map(() => expect.objectContaining({ status: 'success' })));
    expectAnswers(outputs.map(({ text }: { text: string }) => text));
  });

  // @covers MCP-CLIENT-INSPECTOR
  it('the command line of the inspector lists and calls tools, and reads resources', async () => {
    const inspect = async (method: string, ...args: string[]) => {
      const header = `Authorization: Bearer ${desk().key}`;
      const inspector = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
      const { code, out, err } = await runIn(node22(), [
        inspector,
        ...['--cli', desk().url, '--transport', 'http', '--header', header, '--method', method],
        ...args,
      ]);
      if (code !== 0) throw new Error(`the inspector has ended with ${code}: ${err}`);
      return JSON.parse(out);
    };
    expect(names((await inspect('tools/list')).tools)).toEqual(allNames);
    const { content } = await inspect(
      'tools/call',
      '--tool-name',
      'recall',
      '--tool-arg',
      'query=Ada',
      '--tool-arg',
      'k=1',
    );
    expect(content[0].text).toContain(memories[0]);
    expect((await inspect('resources/list')).resources.length).toBeGreaterThanOrEqual(memories.length);
    const uri = `memory://${desk().memoryIds[0]}`;
    expect((await inspect('resources/read', '--uri', uri)).contents[0].text).toBe(memories[0]);
  });
};
