import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/settings/config.js';
import { absentRoles, roles } from '../../src/settings/roles.js';

describe('roles that no process has', () => {
  it('are named one by one, with what waits and a value of ROLES that is taken', () => {
    const sentences = absentRoles(new Map([['http', 2]]));
    expect(sentences.length).toBe(roles.length - 1);
    for (const role of roles.slice(1)) {
      expect(sentences.filter((sentence) => sentence.startsWith(`No process has the role ${role}: `))).toHaveLength(1);
      expect(readConfig({ ROLES: role }).roles).toEqual([role]);
    }
  });

  it('are none when every role is held', () => {
    expect(absentRoles(new Map(roles.map((role) => [role, 1])))).toEqual([]);
  });
});
