import { BaseSequencer, type TestSequencer, type TestSpecification, type Vitest } from 'vitest/node';

/** Suites that mostly wait: for outages, silences, leases, and processes that start again. */
const waits = /\/faults\/|\/kill|kills\.test|-faults\.test|\/silence/;

/** Small files that take long, which are not left for the end: there they would run alone. */
const long = /\/(pdf-extractor|prepared|clients|commands|other-user)\.test\.ts$/;

/**
 * The order of files within each project, so that no processor is idle while work is left: suites that wait run beside others that
 * compute, and the last files are short. Vitest knows how long a file took only where it has run before, and goes by its size elsewhere.
 */
export default class Order implements TestSequencer {
  readonly #usual: BaseSequencer;

  constructor(vitest: Vitest) {
    this.#usual = new BaseSequencer(vitest);
  }

  shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return this.#usual.shard(files);
  }

  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await this.#usual.sort(files);
    const projects = new Set(usual.map(({ project }) => project));
    return [...projects].flatMap((project) => spread(usual.filter((file) => file.project === project)));
  }
}

/** Suites that wait are spread over the first three quarters of the suites that compute. */
export function spread<File extends { readonly moduleId: string }>(files: readonly File[]): File[] {
  const waiting = files.filter(({ moduleId }) => waits.test(moduleId));
  const others = files.filter(({ moduleId }) => !waits.test(moduleId));
  const longFirst = [...others.filter(isLong), ...others.filter((file) => !isLong(file))];
  return [
    ...waiting.map((file, at) => ({ file, place: (0.75 * at) / waiting.length })),
    ...longFirst.map((file, at) => ({ file, place: at / longFirst.length })),
  ]
    .sort((a, b) => a.place - b.place)
    .map(({ file }) => file);
}

const isLong = ({ moduleId }: { readonly moduleId: string }) => long.test(moduleId);
