import { expect, it } from 'vitest';
import { everyTool, wrongCalls } from './calls.js';
import { type Desk, everyAnswer, memories } from './desk.js';
import { runProgram } from './run-client.js';

/** Earlier and newest official SDKs: the program, the package or environment of Python, and the way of connecting. */
const clients: readonly (readonly [string, string, string])[] = [
  ...['1.10.0', '1.17.0', '1.18.0', '1.18.1', '1.18.2', '1.19.1', '1.22.0', '1.32.2'].map(
    (version) => ['sdk.mjs', `sdk-${version}`, 'session'] as const,
  ),
  ['sdk.mjs', 'client-2.4.0', 'session'],
  ['sdk.mjs', 'client-2.4.0', '2026-07-28'],
  ['python_client.py', 'python-1.8.0', 'session'],
  ['python_client.py', 'python', 'session'],
  ['python_client.py', 'python-2.3.0', 'session'],
  ['python_client.py', 'python-2.3.0', '2026-07-28'],
];
const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name).sort();
/** Clients of versions before 2025-06-18 know no structured content, and SDK 1.8 for Python is one of them. */
const hasNoStructure = (sdk: string) => ['sdk-1.10.0', 'python-1.8.0'].includes(sdk);

/** The official SDKs, of many versions: anyone who has written a client may have stayed with one of them. */
export const sdkVersions = (desk: () => Desk) => {
  // @covers MCP-CLIENT-SDK MCP-CLIENT-PYTHON
  it.each(clients)('%s with %s, %s: calls every tool and is refused as it should be', async (program, sdk, era) => {
    const found = await runProgram(program, desk(), { SDK: sdk, ERA: era });
    expect(names(found.tools)).toEqual(names(everyTool));
    expect(found.outputs).toEqual(
      everyAnswer.map((text) => ({
        text: expect.stringMatching(text),
        isError: false,
        ...(program.endsWith('.py') && { structured: null }),
        ...(!hasNoStructure(sdk) && { structured: expect.any(Object) }),
      })),
    );
    expect(found.refused).toHaveLength(wrongCalls.length);
    for (const { text, isError } of found.refused)
      expect([text, isError]).toEqual([expect.stringMatching(/\w+/), true]);
    expect([...memories, 'Eve collects stamps.']).toContain(found.resource);
    expect(found.templates).toContain('memory://{id}');
    expect(found.prompt).toContain(memories[0]);
    expect(found.completed).toEqual(expect.arrayContaining([...desk().memoryIds]));
    expect(found.failures).toEqual([]);
  });
};
