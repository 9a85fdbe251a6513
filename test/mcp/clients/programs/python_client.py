"""The official SDK for Python: lists, calls every tool, reads a resource and gets the prompt, over HTTP with an agent key."""
import asyncio
import json
import os
import re

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['AGENT_KEY']}"}
    async with httpx.AsyncClient(headers=headers) as http:
        async with streamable_http_client(os.environ["MCP_URL"], http_client=http) as (read, write, _):
            async with ClientSession(read, write) as session:
                print(json.dumps(await use(session)))


async def use(session: ClientSession) -> dict:
    begun = await session.initialize()
    tools = await session.list_tools()
    outputs, text = [], ""
    for call in json.loads(os.environ["CALLS"]):
        found = re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", text)
        arguments = json.loads(json.dumps(call["arguments"]).replace("$ID", found.group() if found else ""))
        result = await session.call_tool(call["name"], arguments)
        text = result.content[0].text
        outputs.append({"isError": result.isError, "text": text, "structured": result.structuredContent})
    resources = await session.list_resources()
    templates = await session.list_resource_templates()
    content = await session.read_resource(resources.resources[0].uri)
    prompt = await session.get_prompt("with_memory", {"question": "Where does Ada live?"})
    await session.send_ping()
    return {
        "version": begun.protocolVersion,
        "tools": [{"name": tool.name} for tool in tools.tools],
        "outputs": outputs,
        "resource": content.contents[0].text,
        "templates": [template.uriTemplate for template in templates.resourceTemplates],
        "prompt": prompt.messages[0].content.text,
    }


asyncio.run(main())
