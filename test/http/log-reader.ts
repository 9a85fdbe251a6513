import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit, auditEvidence } from '../../src/cli/audit.js';
import type { Service } from './service.js';

/** The output of a command and its exit code. */
export interface Said {
  readonly code: number;
  readonly text: string;
}

export const logOf = ({ app }: Service): string => `${app.server.listeningOrigin}/v1/ledger`;

/** Writes a memory and asks for the proof of its receipt, for which a checkpoint is signed where it can be. */
export async function prove({ call }: Service, content: string): Promise<{ checkpoint?: string }> {
  const { json } = await call('POST', '/v1/memories', { content });
  const { json: memory } = await call('GET', `/v1/memories/${json.memory_id}`);
  const ask = async () => (await call('GET', `/v1/receipts/${memory.receipt_id}/proof`)).json;
  // A checkpoint that was in progress when the memory came may be without it; the next one is not.
  const bundle = await ask();
  return bundle.checkpoint === undefined ? ask() : bundle;
}

/** Visits the log of a service as an outsider who remembers in `state`. */
export async function visit(service: Service, state: string, key: string[] = []): Promise<Said> {
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
  const progress = { report: () => undefined, stop: () => undefined };
  const code = await audit(logOf(service), { state, key }, terminal, { progress });
  return { code, text: lines.join('\n') };
}

export async function evaluated(path: string): Promise<Said> {
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
  return { code: await auditEvidence(path, { key: [] }, terminal), text: lines.join('\n') };
}

/** A copy of the data directory of a service that is stopped. */
export function copyOf(directory: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'counterfoil-copy-'));
  cpSync(directory, copy, { recursive: true });
  return copy;
}
