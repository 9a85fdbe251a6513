import { describe, expect, it } from 'vitest';
import { actionArguments } from '../../src/mcp/actions/arguments.js';
import type { ObjectSchema } from '../../src/mcp/tool.js';
import { meantArguments } from '../../src/mcp/tools/meant.js';
import { recall } from '../../src/mcp/tools/recall.js';
import { subscribe } from '../../src/mcp/tools/subscribe.js';

const schemas = {
  recall: recall.definition.inputSchema,
  subscribe: subscribe.definition.inputSchema,
  actions: actionArguments.schema,
};
const meant = (schema: ObjectSchema, text: string) => meantArguments(schema, { value: JSON.parse(text), text }).text;

describe('arguments of models', () => {
  // @covers MCPT-ARGUMENTS
  it.each<[keyof typeof schemas, string, string]>([
    ['recall', '{"query":"x","k":null,"filters":null,"agent_id":""}', '{"query":"x"}'],
    ['recall', '{"query":"x","k":"5","token_budget":" 300 "}', '{"query":"x","k":5,"token_budget":300}'],
    ['recall', '{"query":"x","k":"five"}', '{"query":"x","k":"five"}'],
    ['recall', '{"query":"x","namespace_ids":"[\\"a\\"]"}', '{"query":"x","namespace_ids":["a"]}'],
    ['recall', '{"query":"x","namespace_ids":""}', '{"query":"x"}'],
    ['recall', '{"query":"x","namespace_ids":[""]}', '{"query":"x"}'],
    ['recall', '{"query":"x","filters":"{\\"source\\":[\\"a\\"]}"}', '{"query":"x","filters":{"source":["a"]}}'],
    ['recall', '{"query":"x","filters":{"source":"","run_id":["","r"]}}', '{"query":"x","filters":{"run_id":["r"]}}'],
    ['recall', '{"query":"x","filters":{"user_id":""}}', '{"query":"x"}'],
    [
      'recall',
      '{"query":"x","filters":{"min_score":"0.5","neighbours":"false"}}',
      '{"query":"x","filters":{"min_score":0.5,"neighbours":false}}',
    ],
    [
      'recall',
      '{"query":"x","filters":{"created_after":"2026-03-14","include_playground":"true"}}',
      '{"query":"x","filters":{"created_after":"2026-03-14T00:00:00Z","include_playground":true}}',
    ],
    ['subscribe', '{"webhook_url":"u","pattern":{"agent_id":""}}', '{"webhook_url":"u","pattern":{}}'],
    [
      'actions',
      '{"actions":[{"kind":"memory","content":"a","namespace":"","source":null,"client_ref":""}]}',
      '{"actions":[{"kind":"memory","content":"a","client_ref":""}]}',
    ],
    [
      'actions',
      '{"actions":"[{\\"kind\\":\\"memory\\",\\"content\\":\\"a\\"}]"}',
      '{"actions":[{"kind":"memory","content":"a"}]}',
    ],
    [
      'actions',
      '{"actions":"[{\\"kind\\":\\"memory\\",\\"content\\":\\"a\\",\\"client_ref\\":null,\\"playground\\":\\"true\\"}]"}',
      '{"actions":[{"kind":"memory","content":"a","playground":true}]}',
    ],
    [
      'actions',
      '{"actions":[{"kind":"decision","summary":"a","refs":"[\\"\\"]","options":"[\\"b\\"]","metadata":null}]}',
      '{"actions":[{"kind":"decision","summary":"a","options":["b"]}]}',
    ],
    ['recall', '{"query":"x","filters":"{\\"user_id\\":null}"}', '{"query":"x"}'],
    [
      'recall',
      '{"query":"x","filters":"{\\"source\\":\\"[\\\\\\"a\\\\\\"]\\",\\"metadata\\":{\\"n\\":1.10}}"}',
      '{"query":"x","filters":{"source":["a"],"metadata":{"n":1.10}}}',
    ],
  ])('%s: %s', (name, sent, expected) => expect(meant(schemas[name], sent)).toBe(expected));

  it.each<[keyof typeof schemas, string]>([
    ['recall', '{ "query" : "x" , "k" : 5 }'],
    ['recall', '{"query":null}'],
    ['recall', '{"query":""}'],
    ['recall', '{"query":"x","unknown":null}'],
    ['recall', '{"query":"[1]","filters":{"metadata":{"a":null,"b":""}}}'],
    ['actions', '{"actions":[{"kind":"memory","content":"5","metadata":{"n":1.10,"n2":1e3}}]}'],
    ['actions', '[]'],
    ['recall', '{"query":"x","filters":"{\\"source\\":[\\"a\\"],\\"source\\":[\\"b\\"]}"}'],
    ['actions', `{"actions":[${'{"kind":null},'.repeat(50)}{"kind":null}]}`],
    ['recall', `{"query":"x","namespace_ids":"[\\"${'a'.repeat(2 ** 20)}\\"]"}`],
    ['recall', `{"query":"x","namespace_ids":"${'['.repeat(65)}${']'.repeat(65)}"}`],
  ])('%s stays as it was sent, to the last character: %.100s', (name, sent) =>
    expect(meant(schemas[name], sent)).toBe(sent));

  it('keeps what metadata say exactly, beside a member that is changed', () => {
    const metadata = '{"z":1.10,"a":9007199254740993}';
    expect(
      meant(schemas.actions, `{"actions":[{"kind":"memory","content":"a","source":null,"metadata":${metadata}}]}`),
    ).toBe(`{"actions":[{"kind":"memory","content":"a","metadata":${metadata}}]}`);
  });
});
