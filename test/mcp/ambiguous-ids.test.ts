import { expect, it } from 'vitest';
import { usePeople } from '../http/people.js';
import { eagerWorld } from '../http/service.js';
import { newAgent } from './agent.js';

const end = '0123456789ab';
let made = 0;
/** Ids that differ in their middle only. */
function id(): string {
  made += 1;
  const digits = made.toString(16).padStart(6, '0');
  return `${eagerWorld.id().slice(0, 15)}${digits.slice(0, 3)}-8${digits.slice(3)}-${end}`;
}
const people = usePeople({}, { ...eagerWorld, id });

// @covers ERR-ambiguous_id MCPT-SHORT-ID
it('a short id that several memories have is refused, and the refusal has the whole ids', async () => {
  const agent = await newAgent(people);
  const ids: string[] = [];
  for (const text of ['one', 'two']) {
    const { structured } = await agent.tool('remember', { text });
    expect(structured.short_id).toBe(end);
    ids.push(structured.memory_id);
  }
  const refused = await agent.tool('forget', { id: end });
  expect([refused.isError, refused.code, refused.details]).toEqual([true, 'ambiguous_id', { memory_ids: ids.sort() }]);
  for (const id of ids) expect(refused.text).toContain(id);
  expect((await agent.tool('forget', { id: ids[0] })).structured.deleted).toBe(true);
  expect((await agent.tool('forget', { id: end })).structured.memory_id).toBe(ids[1]);
});
