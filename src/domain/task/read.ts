import { inWords } from '../../../contracts/in-words.js';
import { market } from '../../../contracts/market.js';
import { serverAssigned, submittedReceipt } from '../../../contracts/submitted-receipt.js';
import type { NamedTask } from '../../../contracts/task-receipt.js';
import { isObject } from '../../base/json-text.js';
import { utf8Text } from '../read-json.js';
import { readBody, type SentReceipt } from './body.js';
import { faultOfStrings, faultsOfNumbers, faultsOfTimes, isSurelyStorable } from './faults.js';
import { hasMarket, privateTextOf } from './private-members.js';
import { type Issue, pathOf, type RefusedTasks, refusedFields } from './refused.js';
import { canonicalOf, type SubmittedTask, scopeViolations } from './submitted.js';

/**
 * Reads the JSON text of one task receipt, or of a batch `{"receipts": [...]}` of 1 to 100. JSON is checked first, then
 * the size of every receipt, then the fields of every receipt. The first fault refuses the whole body.
 * @param now milliseconds since 1970
 */
export type ReadTasks = (body: string, now: number) => readonly SubmittedTask[] | RefusedTasks;

/** @param vendorPlatforms the platforms that this installation names besides the fixed ones */
export function createTaskReader(vendorPlatforms: readonly string[]): ReadTasks {
  const readNamed = createNamedReader(vendorPlatforms);
  return (text, now) => {
    const body = readBody(text);
    if ('code' in body) return body;
    const storable = isSurelyStorable(text);
    const tasks: SubmittedTask[] = [];
    for (const [at, sent] of body.receipts.entries()) {
      const index = body.isBatch ? at : undefined;
      const assigned = faultsOfNames(sent.value);
      if (assigned.length > 0) return refusedFields('server_assigned_field', index, assigned);
      const fault = storable ? undefined : faultOfStrings(sent.value);
      if (fault) return refusedFields('invalid_receipt', index, [fault]);
      const task = readNamed(sent, now);
      if (Array.isArray(task)) return refusedFields('invalid_receipt', index, task);
      tasks.push(submitted(sent, task));
    }
    return tasks;
  };
}

/** The same of the bytes of a body, which must be UTF-8. */
export function readBytes(read: ReadTasks, body: Uint8Array, now: number): ReturnType<ReadTasks> {
  const text = utf8Text(body);
  return text === undefined
    ? { code: 'invalid_json', message: 'The body is not UTF-8.', details: {} }
    : read(text, now);
}

function faultsOfNames(receipt: unknown): Issue[] {
  if (!isObject(receipt)) return [];
  return serverAssigned
    .filter((name) => Object.hasOwn(receipt, name))
    .map((path) => ({ path, message: 'is assigned by the service' }));
}

/** Reads what the entry of a receipt will hold, or names its faults. */
function createNamedReader(vendorPlatforms: readonly string[]) {
  const receipt = submittedReceipt(vendorPlatforms);
  const receiptWithMarket = receipt.extend({ market });
  return (sent: SentReceipt, now: number): NamedTask | Issue[] => {
    const schema = hasMarket(sent.value) ? receiptWithMarket : receipt;
    const read = schema.safeParse(sent.value, { error: inWords });
    if (!read.success) return read.error.issues.flatMap((issue) => issuesOf(issue, sent.value));
    const faults = [...faultsOfNumbers(sent), ...faultsOfTimes(read.data, now)];
    if (faults.length > 0) return faults;
    const { task_summary: _, ...task } = read.data;
    return task;
  };
}

type ZodIssue = { readonly code?: string; readonly path: readonly PropertyKey[]; readonly message: string };

function issuesOf(issue: ZodIssue, receipt: unknown): Issue[] {
  const { path } = issue;
  const message = isMissing(receipt, path) ? 'is missing' : issue.message;
  if ('keys' in issue && Array.isArray(issue.keys)) {
    return issue.keys.map((key) => ({
      path: pathOf([...path, String(key)]),
      message: 'is not a member of the schema',
    }));
  }
  return [{ path: pathOf(path), message }];
}

function isMissing(receipt: unknown, path: readonly PropertyKey[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return receipt === undefined;
  if (Array.isArray(receipt)) return isMissing(receipt[Number(name)], rest);
  return isObject(receipt) && isMissing(Object.hasOwn(receipt, name) ? receipt[String(name)] : undefined, rest);
}

function submitted(sent: SentReceipt, task: NamedTask): SubmittedTask {
  return {
    task,
    scopeViolations: scopeViolations(task.tool_calls ?? [], task.declared_scope),
    privateText: privateTextOf(sent),
    canonical: canonicalOf(sent),
  };
}
