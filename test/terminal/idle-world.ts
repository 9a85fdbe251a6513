import type { World } from '../../src/base/world.js';
import { testWorld } from '../http/service.js';

const hourMs = 3_600_000;

/** A world in which workers that have nothing to do at the start look again after an hour: tests run steps of their own. */
export const idleWorld: World = {
  ...testWorld,
  sleep: (ms, signal) => testWorld.sleep(ms === 1000 ? hourMs : ms, signal),
};
