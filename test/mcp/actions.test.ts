import { describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { atOnce } from '../../src/base/steps.js';
import { readActions } from '../../src/mcp/actions/read.js';
import { someAgent } from '../support/decisions.js';

const memory = (content: string, more: object = {}) => ({ kind: 'memory', content, ...more });
const decision = (summary: string, more: object = {}) => ({ kind: 'decision', summary, ...more });
const handoff = (summary: string, more: object = {}) => ({ kind: 'handoff', summary, to_agent: someAgent, ...more });

const read = (...actions: unknown[]) => atOnce(readActions({ value: { actions }, text: JSON.stringify({ actions }) }));

function refusalOf(...actions: unknown[]): Refusal {
  try {
    read(...actions);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('the arguments of an action', () => {
  // @covers ACTIONS-ARGUMENTS
  it('are refused with the path of what is wrong, and the code of the API', () => {
    const long = (length: number) => 'x'.repeat(length);
    const wrong: readonly [object, string, string?][] = [
      [{ kind: 'note', content: 'x' }, 'kind'],
      [{ content: 'x' }, 'kind'],
      [{ kind: 'toString' }, 'kind'],
      [{ kind: 'memory' }, 'content', 'invalid_content'],
      [memory(''), 'content', 'invalid_content'],
      [memory('a\0b'), 'content', 'invalid_content'],
      [memory('x', { metadata: [] }), 'metadata', 'invalid_metadata'],
      [memory('x', { metadata: { x: '\ud800' } }), 'metadata', 'invalid_metadata'],
      [memory('x', { source: 7 }), 'source', 'invalid_source'],
      [memory('x', { namespace: 7 }), 'namespace', 'invalid_namespace'],
      [memory('x', { playground: 'yes' }), 'playground'],
      [memory('x', { approval_id: long(129) }), 'approval_id'],
      [memory('x', { summary: 'x' }), 'summary'],
      [memory('x', { toString: 'x' }), 'toString'],
      [memory('x', { client_ref: long(129) }), 'client_ref'],
      [{ kind: 'decision' }, 'summary'],
      [decision(''), 'summary'],
      [decision(long(1025)), 'summary'],
      [decision('lone \udc00'), 'summary'],
      [decision('x', { options: 'feed' }), 'options'],
      [decision('x', { options: Array.from({ length: 21 }, () => 'x') }), 'options'],
      [decision('x', { options: ['x', long(201)] }), 'options.1'],
      [decision('x', { options: ['x', 'nul \0'] }), 'options.1'],
      [decision('x', { chosen: long(201) }), 'chosen'],
      [decision('x', { reason: long(4097) }), 'reason'],
      [decision('x', { reason: null }), 'reason'],
      [decision('x', { refs: Array.from({ length: 33 }, () => 'x') }), 'refs'],
      [decision('x', { refs: [7] }), 'refs.0'],
      [decision('x', { refs: [long(257)] }), 'refs.0'],
      [decision('x', { task: 'x' }), 'task'],
      [decision('x', { approval_id: 'x' }), 'approval_id'],
      [{ kind: 'handoff', summary: 'x' }, 'to_agent'],
      [handoff('x', { to_agent: 'agn_1' }), 'to_agent'],
      [handoff('x', { task: long(1025) }), 'task'],
      [handoff('x', { reason: 'x' }), 'reason'],
    ];
    for (const [action, member, code = 'invalid_request'] of wrong) {
      const refusal = refusalOf(memory('right'), action);
      const path = `actions.1.${member}`;
      expect([member, refusal.status, refusal.code, refusal.details]).toEqual([
        member,
        400,
        code,
        { issues: [{ path, message: refusal.message }] },
      ]);
      expect(refusal.message).toMatch(/^actions\.1\.\S+ (must|is|has) .+\.$/);
    }
    expect(refusalOf('x').details).toMatchObject({ issues: [{ path: 'actions.0' }] });
  });

  // @covers ACTIONS-ARGUMENTS
  it('may have every bound itself, counted in code points', () => {
    const wide = (length: number) => '\u{1f600}'.repeat(length);
    const { actions } = read(
      decision(wide(1024), {
        options: Array.from({ length: 20 }, () => wide(200)),
        chosen: wide(200),
        reason: wide(4096),
        refs: Array.from({ length: 32 }, () => wide(256)),
        client_ref: wide(128),
      }),
      handoff(wide(1024), { task: wide(1024), refs: [] }),
      memory('x', { approval_id: 'x'.repeat(128), source: null, metadata: {}, playground: true, namespace: '' }),
      decision('no more than this', { options: [], chosen: '', reason: '' }),
    );
    expect(actions.map(({ action }) => action.kind)).toEqual(['decision', 'handoff', 'memory', 'decision']);
  });

  // @covers ACTIONS-ARGUMENTS
  it('have several faults named at once, and not thousands', () => {
    const foreign = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`x${n}`, 1]));
    const paths = (...actions: unknown[]): string[] => {
      const { issues } = refusalOf(...actions).details;
      return Array.isArray(issues) ? issues.map(({ path }) => path) : [];
    };
    expect(paths(decision(''), memory('', { a: 1, b: 2 }), {})).toEqual([
      'actions.0.summary',
      'actions.1.content',
      'actions.1.a',
      'actions.1.b',
      'actions.2.kind',
    ]);
    expect(paths(...Array.from({ length: 50 }, () => ({})))).toHaveLength(20);
    expect(paths(memory('x', foreign))).toHaveLength(20);
    expect(paths(decision('x', { refs: Array.from({ length: 30_000 }, () => 1) }))).toEqual(['actions.0.refs']);
    const begun = performance.now();
    expect(paths(decision('\u{1f600}'.repeat(2_000_000)))).toEqual(['actions.0.summary']);
    expect(performance.now() - begun).toBeLessThan(500);
    expect(paths(memory('x', { [`${'long'.repeat(100)}\u0007`]: 1 }))[0]).toHaveLength('actions.0.'.length + 64);
  });

  // @covers ACTIONS-METADATA
  it('come with their texts exactly as they were sent', () => {
    const text =
      '{ "actions": [ {"kind":"memory", "content":"\\u0041", "metadata" : {"z":1.0, "a":1e3} } ], "x":[{}] }';
    const { actions, text: list } = atOnce(readActions({ value: JSON.parse(text), text }));
    expect([...(actions[0]?.texts ?? [])]).toEqual([
      ['kind', '"memory"'],
      ['content', '"\\u0041"'],
      ['metadata', '{"z":1.0, "a":1e3}'],
    ]);
    expect(list).toBe('[ {"kind":"memory", "content":"\\u0041", "metadata" : {"z":1.0, "a":1e3} } ]');
  });
});
