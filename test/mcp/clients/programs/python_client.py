"""
The official SDK for Python, of 2025, of today's version 1 or version 2: lists, calls every tool, sends calls that are refused, reads
a resource, gets the prompt and completes an id, over HTTP with an agent key. ERA is the way in which version 2 connects.
"""
import asyncio
import json
import os
import re
from contextlib import asynccontextmanager
from importlib.metadata import version

URL = os.environ["MCP_URL"]
HEADERS = {"Authorization": f"Bearer {os.environ['AGENT_KEY']}"}


@asynccontextmanager
async def connected():
    if version("mcp").startswith("2."):
        import httpx2
        from mcp.client import Client
        from mcp.client.streamable_http import streamable_http_client

        mode = "legacy" if os.environ["ERA"] == "session" else os.environ["ERA"]
        async with httpx2.AsyncClient(headers=HEADERS) as http:
            async with Client(streamable_http_client(URL, http_client=http), mode=mode) as client:
                yield client
    else:
        from mcp import ClientSession
        from mcp.client.streamable_http import streamablehttp_client

        async with streamablehttp_client(URL, headers=HEADERS) as (read, write, _):
            async with ClientSession(read, write) as session:
                await session.initialize()
                await session.send_ping()
                yield session


def template(uri: str):
    """Version 1 of 2025 has another name for it."""
    from mcp import types

    kind = getattr(types, "ResourceTemplateReference", None) or types.ResourceReference
    return kind(type="ref/resource", uri=uri)


def member(value, name: str, other: str):
    """Version 2 has names in the style of Python."""
    return getattr(value, name) if hasattr(value, name) else getattr(value, other, None)


async def call(session, name: str, arguments: dict) -> dict:
    result = await session.call_tool(name, arguments)
    return {
        "text": result.content[0].text,
        "isError": bool(member(result, "isError", "is_error")),
        "structured": member(result, "structuredContent", "structured_content"),
    }


async def refusal(session, name: str, arguments: dict) -> dict:
    try:
        return await call(session, name, arguments)
    except Exception as error:
        return {"text": str(error), "isError": True}


async def use(session) -> dict:
    tools = await session.list_tools()
    outputs, text = [], ""
    for one in json.loads(os.environ["CALLS"]):
        found = re.search(r"""[0-9a-f]{8}-[0-9a-f-]{27}|(?<=id=")[0-9a-f]{12}|(?<=id=\\")[0-9a-f]{12}""", text)
        arguments = json.loads(json.dumps(one["arguments"]).replace("$ID", found.group() if found else ""))
        outputs.append(await call(session, one["name"], arguments))
        text = outputs[-1]["text"]
    refused = [await refusal(session, one["name"], one["arguments"]) for one in json.loads(os.environ["WRONG"])]
    resources = await session.list_resources()
    templates = await session.list_resource_templates()
    content = await session.read_resource(resources.resources[0].uri)
    prompt = await session.get_prompt("with_memory", {"question": "Where does Ada live?"})
    completed = await session.complete(template("memory://{id}"), {"name": "id", "value": ""})
    return {
        "tools": [{"name": tool.name} for tool in tools.tools],
        "outputs": outputs,
        "refused": refused,
        "resource": content.contents[0].text,
        "templates": [
            member(one, "uriTemplate", "uri_template") for one in member(templates, "resourceTemplates", "resource_templates")
        ],
        "prompt": prompt.messages[0].content.text,
        "completed": completed.completion.values,
        "failures": [],
    }


async def main() -> None:
    async with connected() as session:
        print(json.dumps(await use(session)))


asyncio.run(main())
