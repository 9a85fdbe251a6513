// An agent of the OpenAI Agents SDK with the service as its MCP server, and a model that calls each tool in its order.
// It prints the tools as the SDK converts them, and the output of each call as the model would get it.
import { Agent, getAllMcpTools, MCPServerStreamableHttp, Runner, setTracingDisabled, Usage } from '@openai/agents';

setTracingDisabled(true);
const { MCP_URL, AGENT_KEY, CALLS } = process.env;
const calls = JSON.parse(CALLS);
const server = new MCPServerStreamableHttp({
  url: MCP_URL,
  requestInit: { headers: { authorization: `Bearer ${AGENT_KEY}` } },
});
await server.connect();
const tools = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true });

const textOf = ({ output }) => (typeof output === 'string' ? output : JSON.stringify(output));
const outputs = (input) => input.filter(({ type }) => type === 'function_call_result').map(textOf);
const model = {
  async getResponse({ input, tools }) {
    const given = outputs(input);
    const at = given.length;
    const next = calls[at];
    // In strict mode a model has to name every member, and gives null for those that it leaves out.
    const tool = tools.find(({ name }) => name === next?.name);
    const members = tool?.strict ? Object.fromEntries(tool.parameters.required.map((name) => [name, null])) : {};
    const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}|(?<=id=\\?")[0-9a-f]{12}/.exec(given[at - 1] ?? '') ?? [];
    const args = JSON.stringify({ ...members, ...next?.arguments }).replace('$ID', id);
    const output = next
      ? { type: 'function_call', callId: `call-${at}`, name: next.name, arguments: args, status: 'completed' }
      : {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: JSON.stringify(given) }],
        };
    return { usage: new Usage(), output: [output] };
  },
};
const agent = new Agent({
  name: 'scripted',
  model,
  mcpServers: [server],
  mcpConfig: { convertSchemasToStrict: true },
});
const { finalOutput } = await new Runner().run(agent, 'Call every tool.', { maxTurns: calls.length + 2 });
await server.close();
const converted = tools.map(({ name, strict, parameters }) => ({ name, strict, parameters }));
console.log(JSON.stringify({ tools: converted, outputs: JSON.parse(finalOutput) }));
