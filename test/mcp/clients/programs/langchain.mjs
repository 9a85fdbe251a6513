// The tools of the service as LangChain's adapters load them, each called as an agent of LangGraph calls it.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const { MCP_URL, AGENT_KEY, CALLS } = process.env;
const calls = JSON.parse(CALLS);
const client = new MultiServerMCPClient({
  memory: { url: MCP_URL, automaticSSEFallback: false, headers: { Authorization: `Bearer ${AGENT_KEY}` } },
});
const tools = await client.getTools();

const textOf = ({ content }) => (typeof content === 'string' ? content : JSON.stringify(content));
/** The model: it asks for the next tool until all were called. */
const model = ({ messages }) => {
  const given = messages.filter((one) => one.getType() === 'tool').map(textOf);
  const next = calls[given.length];
  if (!next) return { messages: [new AIMessage('done')] };
  const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}|(?<=id=\\?")[0-9a-f]{12}/.exec(given.at(-1) ?? '') ?? [];
  const args = JSON.parse(JSON.stringify(next.arguments).replace('$ID', id));
  const call = { type: 'tool_call', id: `call-${given.length}`, name: next.name, args };
  return { messages: [new AIMessage({ content: '', tool_calls: [call] })] };
};
const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', model)
  .addNode('tools', new ToolNode(tools))
  .addEdge('__start__', 'model')
  .addConditionalEdges('model', ({ messages }) => (messages.at(-1).tool_calls?.length ? 'tools' : '__end__'))
  .addEdge('tools', 'model')
  .compile();
const { messages } = await graph.invoke(
  { messages: [new HumanMessage('Call every tool.')] },
  { recursionLimit: 2 * calls.length + 3 },
);
await client.close();
const outputs = messages
  .filter((one) => one.getType() === 'tool')
  .map((one) => ({ status: one.status, text: textOf(one) }));
console.log(JSON.stringify({ tools: tools.map(({ name, schema }) => ({ name, schema })), outputs }));
