import { beforeAll, describe, expect, it } from 'vitest';
import { useHooks } from '../../http/hooks.js';
import { code } from '../../http/people.js';
import { stores } from '../../support/stores.js';
import { eventually } from '../../support/until.js';

/** Numbers of which JSON.parse makes the same float, that it rounds, or that it has no float for. */
const [even, odd] = ['9007199254740992', '9007199254740993'];
const tickets = [even, odd, '0.1', '0.1000000000000000055', '1e400', `"${odd}"`];

/** A pattern, and the tickets that it is notified of. */
const patterns: readonly (readonly [pattern: string, found: readonly string[]])[] = [
  [odd, [odd]],
  [`${odd}.0`, [odd]],
  [even, [even]],
  ['0.10', ['0.1']],
  ['0.1000000000000000055', ['0.1000000000000000055']],
  ['10000e396', ['1e400']],
  ['9007199254740994', []],
  [`"${odd}"`, [`"${odd}"`]],
];

describe.each(stores)('numbers of patterns that floats do not keep, on %s', () => {
  const hooks = useHooks();
  let agent: string;
  const create = (ticket: string) =>
    hooks
      .service()
      .call(
        'POST',
        '/v1/webhooks',
        `{"webhook_url":"https://hooks.example.org","pattern":{"metadata":{"ticket":${ticket}}}}`,
        {
          'x-service-agent': agent,
          'content-type': 'application/json',
        },
      );
  beforeAll(async () => {
    agent = await hooks.agent();
  });

  // @covers FILTER-NUMBERS HOOK-PATTERN
  it('a webhook is notified of exactly those', async () => {
    const ids: string[] = [];
    for (const [ticket] of patterns) {
      const made = await create(ticket);
      expect([ticket, made.status]).toEqual([ticket, 201]);
      ids.push(made.json.id);
    }
    const written = new Map<string, string>();
    for (const ticket of tickets) {
      const { json } = await hooks
        .service()
        .call(
          'POST',
          '/v1/memories',
          `{"content":"ticket ${tickets.indexOf(ticket)}","metadata":{"ticket":${ticket}}}`,
        );
      written.set(json.memory_id, ticket);
    }
    await hooks.settled();
    for (const [place, [ticket, found]] of patterns.entries()) {
      const sent = await eventually(async () => {
        const { data } = (await hooks.by(agent, 'GET', `/v1/webhooks/${ids[place]}/deliveries`)).json;
        return data.length >= found.length && data.map((one: { memory_id: string }) => written.get(one.memory_id));
      });
      expect([ticket, sent]).toEqual([ticket, found]);
    }
  });

  // @covers FILTER-NUMBERS
  it('a pattern is shown with all digits, when it is made and in lists', async () => {
    const made = await create(`${odd}.00`);
    expect(made.text).toContain(`"pattern":{"metadata":{"ticket":${odd}}}`);
    const list = await hooks.by(agent, 'GET', '/v1/webhooks');
    expect(list.text).toContain(`"pattern":{"metadata":{"ticket":${odd}}}`);
  });

  // @covers FILTER-NUMBERS
  it('a number with more digits than are compared is refused', async () => {
    const refused = await create('1e4000');
    expect(code(refused)).toEqual([400, 'invalid_request']);
    expect(refused.json.error.message).toBe('pattern: a number has more than 1000 digits.');
  });
});
