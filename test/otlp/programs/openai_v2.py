"""One call of a model, traced by opentelemetry-instrumentation-openai-v2."""

import os

from openai import OpenAI
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

from tracing import start_tracing

provider = start_tracing("summarizer")
OpenAIInstrumentor().instrument(tracer_provider=provider)
client = OpenAI(api_key="none", base_url=os.environ["VENDOR_URL"])
client.chat.completions.create(model="gpt-test", messages=[{"role": "user", "content": "Sum up: SECRET-PROMPT"}])
provider.shutdown()
