// One of the official SDKs for TypeScript, as SDK names its package and ERA its way of connecting: lists, calls every tool, sends
// calls that are refused, reads a resource, gets the prompt and completes an id.
const { AGENT_KEY, MCP_URL, SDK, ERA } = process.env;
const url = new URL(MCP_URL);
const options = { requestInit: { headers: { authorization: `Bearer ${AGENT_KEY}` } } };
const who = { name: 'test', version: '1' };

async function connected() {
  if (SDK.startsWith('client')) {
    const { Client, StreamableHTTPClientTransport } = await import(SDK);
    const client = new Client(who, ERA === 'session' ? {} : { versionNegotiation: { mode: { pin: ERA } } });
    await client.connect(new StreamableHTTPClientTransport(url, options));
    return client;
  }
  const { Client } = await import(`${SDK}/client/index.js`);
  const { StreamableHTTPClientTransport } = await import(`${SDK}/client/streamableHttp.js`);
  const client = new Client(who);
  await client.connect(new StreamableHTTPClientTransport(url, options));
  return client;
}

const client = await connected();
const failures = [];
client.onerror = ({ message }) => failures.push(message);
const call = async ({ name, arguments: args }) => {
  const { content, isError = false, structuredContent } = await client.callTool({ name, arguments: args });
  return { text: content[0].text, isError, structured: structuredContent };
};
const { tools } = await client.listTools();
const outputs = [];
for (const one of JSON.parse(process.env.CALLS)) {
  const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}|(?<=id=\\?")[0-9a-f]{12}/.exec(outputs.at(-1)?.text ?? '') ?? [];
  outputs.push(await call({ ...one, arguments: JSON.parse(JSON.stringify(one.arguments).replace('$ID', id)) }));
}
const refused = [];
for (const one of JSON.parse(process.env.WRONG)) {
  refused.push(await call(one).catch(({ message }) => ({ text: message, isError: true })));
}
const { resources } = await client.listResources();
const { contents } = await client.readResource({ uri: resources[0].uri });
const { resourceTemplates } = await client.listResourceTemplates();
const { prompts } = await client.listPrompts();
const { messages } = await client.getPrompt({ name: prompts[0].name, arguments: { question: 'Where does Ada live?' } });
const { completion } = await client.complete({
  ref: { type: 'ref/resource', uri: 'memory://{id}' },
  argument: { name: 'id', value: '' },
});
await client.close();
console.log(
  JSON.stringify({
    tools: tools.map(({ name }) => ({ name })),
    outputs,
    refused,
    resource: contents[0].text,
    templates: resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    prompt: messages[0].content.text,
    completed: completion.values,
    failures,
  }),
);
