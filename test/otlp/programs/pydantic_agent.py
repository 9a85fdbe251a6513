"""An agent with a tool, traced by the instrumentation of Pydantic AI."""

import os

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from tracing import start_tracing

provider = start_tracing("forecast")
Agent.instrument_all()
model = OpenAIChatModel("gpt-test", provider=OpenAIProvider(api_key="none", base_url=os.environ["VENDOR_URL"]))
agent = Agent(model, name="Weather agent")


@agent.tool_plain
def weather(city: str) -> str:
    return f"21 degrees in {city}"


agent.run_sync("What is the weather? SECRET-PROMPT")
provider.shutdown()
