import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/base/package-root.js';
import { apiKey, type Service } from '../http/service.js';

const run = promisify(execFile);

/** Runs a program of test/otlp/programs that sends its spans to the service. @throws Error when it fails */
export async function runProgram(
  command: string,
  program: string,
  { app }: Service,
  vendorUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout, stderr } = await run(command, [join(packageRoot, 'test/otlp/programs', program)], {
    env: {
      PATH: process.env.PATH ?? '',
      PYTHONDONTWRITEBYTECODE: '1',
      VENDOR_URL: `${vendorUrl}/v1`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${app.server.listeningOrigin}/v1/otlp`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${apiKey}`,
      ...env,
    },
    timeout: 60_000,
  });
  return stdout + stderr;
}

/** The task receipts of the service, the oldest first. */
export async function tasksOf(service: Service) {
  const { json: list } = await service.call('GET', '/v1/receipts?kind=task&limit=100');
  const tasks = [];
  for (const { id } of list.data) tasks.push((await service.call('GET', `/v1/receipts/${id}`)).json.task);
  return tasks.reverse();
}

/** Every text of the store that has one of these words. */
export async function storedWith({ app }: Service, word: string): Promise<number> {
  const [row] = await app.database.read((tx) =>
    tx.query<{ found: number }>(
      `select (select count(*) from vault where content like $1)
            + (select count(*) from open_traces where nodes like $1)
            + (select count(*) from entries where position($2::bytea in bytes) > 0) as found`,
      [`%${word}%`, Buffer.from(word)],
    ),
  );
  return Number(row?.found);
}
