import { describe, expect, it } from 'vitest';
import { faultOfNode } from '../../src/cli/node-version.js';

describe('the version of Node', () => {
  // @covers START-NODE
  it('is explained in a sentence where it is too old', () => {
    expect(['20.19.0', '20.20.2', '22.1.0', '24.0.0'].map(faultOfNode)).toEqual([null, null, null, null]);
    expect(faultOfNode('18.20.4')).toBe(
      'Node 20.19 or later is needed, and this is Node 18.20.4. Install a newer one.',
    );
    expect(faultOfNode('20.18.1')).not.toBeNull();
  });
});
