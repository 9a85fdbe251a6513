import type { Reporter, TestModule } from 'vitest/node';
import { table } from '../../ops/bench/machine.js';

/** How many of the slowest tests a run lists. */
const listed = 20;

/** Prints the tests that took longest at the end of a run, the files, with their setup, the folders, and again what has failed. */
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
    print('folder', byFolder(modules));
    printFailed(modules);
  }
}

/** Once more at the very end: of a long output that is all that some see. */
function printFailed(modules: readonly TestModule[]): void {
  for (const module of modules) {
    for (const error of module.errors()) console.log(`failed: ${nameOf(module)}: ${error.message.slice(0, shown)}`);
    for (const test of module.children.allTests('failed')) {
      const messages = test.result().errors?.map(({ message }) => message) ?? [];
      console.log(`failed: ${nameOf(module)}: ${test.fullName}\n${messages.join('\n').slice(0, shown)}`);
    }
  }
}

/** Characters of an error. */
const shown = 2000;

function nameOf({ project, relativeModuleId }: TestModule): string {
  return `${project.name} ${relativeModuleId}`;
}

/** All files of a folder together, by project: where a run that has become too long can be cut. */
function byFolder(modules: readonly TestModule[]) {
  const sums = new Map<string, number>();
  for (const module of modules) {
    const name = nameOf(module).replace(/\/[^/]*$/, '');
    sums.set(name, (sums.get(name) ?? 0) + fileDuration(module));
  }
  return [...sums].map(([name, took]) => ({ took, name }));
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
