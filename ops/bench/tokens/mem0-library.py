# Starts the MCP server of mem0 with mem0's library instead of the client of mem0's service. Texts are kept as they
# are, so no language model is called; EMBEDDINGS is the address of a server of vectors.
import os

import mem0_mcp_server.server as server
from mem0 import Memory


class Library:
    def __init__(self, api_key):
        directory = os.environ["MEM0_DIR"]
        dimensions = int(os.environ["DIMENSIONS"])
        embedder = {
            "api_key": "none",
            "model": "bench",
            "openai_base_url": os.environ["EMBEDDINGS"],
            "embedding_dims": dimensions,
        }
        vectors = {"path": f"{directory}/vectors", "embedding_model_dims": dimensions, "on_disk": True}
        self.memory = Memory.from_config({
            "vector_store": {"provider": "qdrant", "config": vectors},
            "embedder": {"provider": "openai", "config": embedder},
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
            "history_db_path": f"{directory}/history.db",
        })

    def add(self, messages, user_id=None, **_):
        return self.memory.add(messages, user_id=user_id, infer=False)

    def search(self, query, limit=10, **_):
        return self.memory.search(query, filters={"user_id": server.ENV_DEFAULT_USER_ID}, top_k=limit)


server.MemoryClient = Library
server.main()
