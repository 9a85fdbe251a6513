/** Work of the tests of threads: it does what it is told, the worst included. */
export default async function work({ job, input }) {
  if (job === 'say') return input;
  if (job === 'throw') throw new RangeError(input);
  if (job === 'exit') process.exit(3);
  if (job === 'hang') for (;;);
  if (job === 'die')
    setImmediate(() => {
      throw new Error('outside of the work');
    });
  if (job === 'fill') for (const held = []; ; ) held.push({ text: `${held.length} of many` });
  return new Promise(() => undefined);
}
