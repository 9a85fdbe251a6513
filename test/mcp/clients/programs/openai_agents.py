"""An agent of the OpenAI Agents SDK for Python with the service as its MCP server, and a model that calls each tool in its order."""
import asyncio
import json
import os
import re

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp, MCPUtil
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

calls = json.loads(os.environ["CALLS"])


class Scripted(Model):
    async def get_response(self, system_instructions, input, *_args, **_kwargs) -> ModelResponse:
        given = [one["output"] for one in input if isinstance(one, dict) and one.get("type") == "function_call_output"]
        texts = [one if isinstance(one, str) else json.dumps(one) for one in given]
        if len(texts) == len(calls):
            text = ResponseOutputText(type="output_text", text=json.dumps(texts), annotations=[])
            message = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
            return ModelResponse(output=[message], usage=Usage(), response_id=None)
        found = re.search(r"""[0-9a-f]{8}-[0-9a-f-]{27}|(?<=id=")[0-9a-f]{12}|(?<=id=\\")[0-9a-f]{12}""", texts[-1]) if texts else None
        following = calls[len(texts)]
        arguments = json.dumps(following["arguments"]).replace("$ID", found.group() if found else "")
        call = ResponseFunctionToolCall(
            type="function_call", call_id=f"call-{len(texts)}", name=following["name"], arguments=arguments
        )
        return ModelResponse(output=[call], usage=Usage(), response_id=None)

    def stream_response(self, *_args, **_kwargs):
        raise NotImplementedError


async def main() -> None:
    set_tracing_disabled(True)
    headers = {"Authorization": f"Bearer {os.environ['AGENT_KEY']}"}
    async with MCPServerStreamableHttp(params={"url": os.environ["MCP_URL"], "headers": headers}) as server:
        agent = Agent(name="scripted", model=Scripted(), mcp_servers=[server], mcp_config={"convert_schemas_to_strict": True})
        tools = [MCPUtil.to_function_tool(tool, server, True) for tool in await server.list_tools()]
        result = await Runner.run(agent, "Call every tool.", max_turns=len(calls) + 2)
        converted = [{"name": tool.name, "strict": tool.strict_json_schema} for tool in tools]
        print(json.dumps({"tools": converted, "outputs": json.loads(result.final_output)}))


asyncio.run(main())
