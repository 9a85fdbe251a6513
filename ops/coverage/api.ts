/**
 * What of the API the tests have provoked since the last `--forget`: every code of the interface and a test that provoked
 * it, and every operation with its statuses and codes. `--strict` ends with 1 when a code of the interface was never provoked.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import type { ResponseObject } from '../../src/http/openapi/shape.js';
import { apiDocument } from '../build/developers/openapi-file.js';
import { codesOf, responseOf } from '../build/developers/operation.js';
import { forgetSeen, readSeen, type Seen } from './seen.js';

interface Row {
  readonly what: readonly string[];
  readonly by: Seen | undefined;
}

if (process.argv.includes('--forget')) {
  forgetSeen();
} else {
  // A test that means to provoke a reply says more than the run that has come on it.
  const seen = readSeen().sort((a, b) => Number(isFuzz(a)) - Number(isFuzz(b)));
  const codes = codeRows(seen);
  const { statuses, refusals } = operationRows(seen);
  print('Codes of the interface', ['code', 'status'], codes);
  print('Operations and their statuses', ['operation', 'status'], statuses);
  const never = refusals.filter(({ by }) => !by);
  print('Refusals of operations that no test has provoked', ['operation', 'status', 'code'], never);
  console.log(share('codes of the interface', codes));
  console.log(share('statuses of operations', statuses));
  console.log(share('refusals of operations', refusals));
  if (process.argv.includes('--strict') && codes.some(({ by }) => !by)) process.exitCode = 1;
}

function isFuzz({ file }: Seen): boolean {
  return file.endsWith('/fuzz.test.ts');
}

function codeRows(seen: readonly Seen[]): Row[] {
  const file = join(packageRoot, 'test/openapi/interface-codes.json');
  const codes: { code: string; status: number }[] = JSON.parse(readFileSync(file, 'utf8'));
  return codes.map(({ code, status }) => ({
    what: [code, String(status)],
    by: seen.find((one) => one.code === code && one.status === status),
  }));
}

function operationRows(seen: readonly Seen[]): { statuses: Row[]; refusals: Row[] } {
  const api = apiDocument();
  const provoked = new Map<string, Seen>();
  for (const one of seen) {
    for (const key of [keyOf(one, one.status), keyOf(one, one.status, one.code ?? '')]) {
      if (!provoked.has(key)) provoked.set(key, one);
    }
  }
  const statuses: Row[] = [];
  const refusals: Row[] = [];
  for (const [path, item] of Object.entries(api.paths)) {
    for (const [verb, { responses }] of Object.entries(item)) {
      const place = { method: verb.toUpperCase(), path };
      for (const [status, given] of Object.entries(responses)) {
        const response: ResponseObject = responseOf(given, api);
        const what = [`${place.method} ${path}`, status];
        statuses.push({ what, by: provoked.get(keyOf(place, status)) });
        for (const { code } of codesOf(response)) {
          refusals.push({ what: [...what, code], by: provoked.get(keyOf(place, status, code)) });
        }
      }
    }
  }
  return { statuses, refusals };
}

/** A method that a path does not take is refused by the path, which reports it under each method that it takes. */
function keyOf({ method, path }: Pick<Seen, 'method' | 'path'>, status: string | number, ...code: string[]): string {
  return [Number(status) === 405 ? 'any' : method, path, status, ...code].join(' ');
}

function print(title: string, head: readonly string[], rows: readonly Row[]): void {
  const lines = [[...head, 'test'], ...rows.map(({ what, by }) => [...what, by ? `${by.file}: ${by.test}` : 'never'])];
  const widths = head.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  console.log(`\n${title}\n`);
  for (const line of lines) console.log(line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
}

function share(of: string, rows: readonly Row[]): string {
  const done = rows.filter(({ by }) => by).length;
  return `\n${done} of ${rows.length} ${of} were provoked (${((100 * done) / Math.max(1, rows.length)).toFixed(1)} %).`;
}
