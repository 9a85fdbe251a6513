// A table of LanceDB behind HTTP, because LanceDB is a library. It is run where install.sh has put it.
//   node lancedb.mjs PORT DIRECTORY
import { createServer } from 'node:http';
import { connect } from '@lancedb/lancedb';

const [port, directory] = process.argv.slice(2);
const database = await connect(directory);
let table;

const routes = {
  /** Rows of `{id, text, vector}`. */
  async '/add'({ rows }) {
    if (table) await table.add(rows);
    else table = await database.createTable('memories', rows);
    return {};
  },
  '/optimize': () => table.optimize(),
  async '/search'({ vector }) {
    const query = table.vectorSearch(vector).distanceType('cosine').select(['id', 'text', '_distance']).limit(10);
    return { data: await query.toArray() };
  },
};

createServer(async (request, answer) => {
  try {
    const parts = [];
    for await (const part of request) parts.push(part);
    const route = routes[request.url];
    if (!route) return answer.writeHead(404).end();
    answer.end(JSON.stringify(await route(JSON.parse(Buffer.concat(parts)))));
  } catch (error) {
    answer.writeHead(500).end(String(error));
  }
}).listen(Number(port), '127.0.0.1');
