import type { z } from 'zod';
import { type Action, actionShapes, isActionKind } from '../../../contracts/actions.js';
import { type ErrorCode, Refusal } from '../../../contracts/errors.js';
import { inWords } from '../../../contracts/in-words.js';
import { memoryIn } from '../../../contracts/memory.js';
import type { SentActions } from '../../api/actions/record.js';
import { partsOf } from '../../base/json-outline.js';
import { isObject } from '../../base/json-text.js';
import type { Steps } from '../../base/steps.js';
import type { Arguments } from '../tool.js';
import { type Issue, printable } from '../tools/arguments.js';

interface Fault extends Issue {
  /** The code that the API has for such a fault. */
  readonly code: ErrorCode;
}

/** A batch may have many faults; the first of them say enough. */
const mostIssues = 20;

/**
 * Reads the list of actions, each by its kind. @throws Refusal with the code of the first fault, and the first faults of all
 * actions as `issues`
 */
export function* readActions({ value, text }: Arguments): Steps<SentActions> {
  const sent = Array.isArray(value.actions) ? value.actions : [];
  const faults: Fault[] = [];
  const read: Action[] = [];
  for (const [at, one] of sent.entries()) {
    const action = readAction(one, `actions.${at}`);
    if ('faults' in action) faults.push(...action.faults);
    else read.push(action.action);
    if (faults.length >= mostIssues) break;
    yield;
  }
  const [first] = faults;
  if (first) {
    const issues = faults.slice(0, mostIssues).map(({ path, message }) => ({ path, message }));
    throw new Refusal(first.code, first.message, { issues });
  }
  const list = partsOf(text, 3).find(({ name }) => name === 'actions');
  const textsAt = (at: number) =>
    new Map(list?.parts[at]?.parts.map(({ name, from, to }) => [name, text.slice(from, to)]));
  return {
    actions: read.map((action, at) => ({ action, texts: textsAt(at) })),
    text: list ? text.slice(list.from, list.to) : '',
  };
}

function readAction(sent: unknown, path: string): { readonly action: Action } | { readonly faults: readonly Fault[] } {
  const kinds = Object.keys(actionShapes).join(', ');
  if (!isObject(sent)) return { faults: [fault(path, `must be an object whose kind is one of ${kinds}`)] };
  const { kind } = sent;
  if (!isActionKind(kind)) return { faults: [fault(`${path}.kind`, `must be one of ${kinds}`)] };
  const shape = actionShapes[kind];
  const read = shape.safeParse(sent, { error: inWords });
  if (read.success) return { action: read.data };
  const takes = Object.keys(shape.shape).join(', ');
  return { faults: read.error.issues.flatMap((issue) => faultsOf(issue, path, kind, takes)) };
}

function faultsOf(issue: z.core.$ZodIssue, path: string, kind: Action['kind'], takes: string): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, mostIssues)
      .map((name) => fault(`${path}.${printable(name)}`, `is no member of a ${kind}, which takes ${takes}`));
  }
  const [member = ''] = issue.path;
  return [
    fault([path, ...issue.path].join('.'), issue.message, kind === 'memory' ? codeOf(String(member)) : undefined),
  ];
}

/** The code that the API has for a wrong member of a memory. */
function codeOf(member: string): ErrorCode | undefined {
  return Object.entries(memoryIn).find(([name]) => name === member)?.[1].code;
}

const fault = (path: string, what: string, code: ErrorCode = 'invalid_request'): Fault => ({
  path,
  message: `${path} ${what}.`,
  code,
});
