import { describe, expect, it } from 'vitest';
import { scopeViolations } from '../../../src/domain/task/submitted.js';
import { accepted, least } from './samples.js';

const violations = (tools: readonly string[], scope: readonly string[]) =>
  accepted({ ...least, tool_calls: tools.map((tool) => ({ tool, ok: true })), declared_scope: scope }).scopeViolations;

describe('scope violations', () => {
  // @covers TASK-VIOLATIONS
  it('are the tools that neither *, a prefix.* nor their exact name covers', () => {
    const tools = ['fs.read', 'fs', 'fs.', 'fsx.read', 'mail.send', 'mail.send.now', 'Mail.send', '', '*', 'a*'];
    expect(violations(tools, ['fs.*', 'mail.send'])).toEqual([
      ...['fs', 'fsx.read', 'mail.send.now', 'Mail.send', '', '*', 'a*'],
    ]);
    expect(violations(tools, ['x', '*'])).toEqual([]);
    // Only `*` alone and a `.*` at the end are patterns.
    expect(violations(['ab', 'f.x.read', 'x'], ['a*', '*.read', 'f.*.read', '**', '* '])).toEqual([
      'ab',
      'f.x.read',
      'x',
    ]);
    expect(violations(['.hidden', 'a.b.c', 'a.*', 'b.*'], ['.*', 'a.b.*', 'b.*'])).toEqual(['a.*']);
    expect(violations(['toString', '__proto__'], ['constructor'])).toEqual(['toString', '__proto__']);
  });

  // @covers TASK-VIOLATIONS-ORDER
  it('are in the order of the first call, each once', () => {
    expect(violations(['b', 'a', 'ok', 'b', 'c', 'a'], ['ok'])).toEqual(['b', 'a', 'c']);
  });

  // @covers TASK-VIOLATIONS-UNDECLARED
  it('are null without a declared scope, and every tool with an empty one', () => {
    const calls = [{ tool: 'a', ok: true }];
    expect(accepted({ ...least, tool_calls: calls }).scopeViolations).toBe(null);
    expect(accepted(least).scopeViolations).toBe(null);
    expect(violations(['a', 'b'], [])).toEqual(['a', 'b']);
    expect(accepted({ ...least, declared_scope: [] }).scopeViolations).toEqual([]);
  });

  it('take little time for names and scopes that differ at their ends only', () => {
    const dots = '.'.repeat(120);
    const scope = Array.from({ length: 256 }, (_, at) => `${dots.slice(at % 100)}x${at}.*`);
    const calls = Array.from({ length: 256 }, (_, at) => ({ tool: `${dots}${dots}${at}` }));
    const begun = performance.now();
    expect(scopeViolations(calls, scope)?.length).toBe(256);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
