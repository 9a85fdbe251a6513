"""One call of a model, traced by openinference-instrumentation-openai."""

import os

from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor

from tracing import start_tracing

provider = start_tracing("classifier")
OpenAIInstrumentor().instrument(tracer_provider=provider)
client = OpenAI(api_key="none", base_url=os.environ["VENDOR_URL"])
client.chat.completions.create(model="gpt-test", messages=[{"role": "user", "content": "Classify: SECRET-PROMPT"}])
provider.shutdown()
