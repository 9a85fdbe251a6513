/**
 * Options of Node for a process that lives for seconds or minutes, where optimizing code takes longer than it can save. The code of the
 * embedded database is never optimized: six slow files took 100 s of processor time with that, and 84 s without. Other code is optimized
 * after it has run six times as long as usual, and memory is freed by one thread, as other tests use the other cores: a service starts
 * in a test with 0.7 s instead of 0.9, as a process with 4.4 s instead of 5.6, and tests that only compute take no longer. Young objects
 * have 32 MB, and not the 1 MB with which Node begins: most of what a start makes lives on, and was copied several times. To import the
 * service took 1.80 s of processor time before, and takes 1.55 s.
 */
export const shortLived: readonly string[] = [
  '--liftoff-only',
  '--interrupt-budget=400000',
  '--single-threaded-gc',
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
];
