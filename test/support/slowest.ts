import type { Reporter, TestModule } from 'vitest/node';
import { table } from '../../ops/bench/machine.js';

/** How many of the slowest tests a run lists. */
const listed = 20;

/** Prints the tests that took longest at the end of a run, and the files, with their setup, beside them. */
export default class SlowestTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({ took: fileDuration(module), name: nameOf(module) }));
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        took: test.diagnostic()?.duration ?? 0,
        name: `${nameOf(module)}: ${test.fullName}`,
      })),
    );
    if (tests.length <= listed) return;
    print('file', files);
    print('test', tests);
  }
}

function nameOf({ project, relativeModuleId }: TestModule): string {
  return `${project.name} ${relativeModuleId}`;
}

function fileDuration(module: TestModule): number {
  const { collectDuration, duration, prepareDuration, environmentSetupDuration } = module.diagnostic();
  return collectDuration + duration + prepareDuration + environmentSetupDuration;
}

function print(what: string, all: readonly { readonly took: number; readonly name: string }[]): void {
  const slowest = [...all].sort((a, b) => b.took - a.took).slice(0, listed);
  const rows = slowest
    .filter(({ took }) => took > 100)
    .map(({ took, name }) => [(took / 1000).toFixed(1), name.slice(0, 120)]);
  console.log(`\n${table([['seconds', `the slowest ${what}s`], ...rows])}`);
}
