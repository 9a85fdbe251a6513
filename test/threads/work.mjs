/** Work of the tests of threads: it does what it is told, the worst included. */
export default async function work({ what, value }) {
  if (what === 'say') return value;
  if (what === 'throw') throw new RangeError(value);
  if (what === 'exit') process.exit(3);
  if (what === 'hang') for (;;);
  if (what === 'die')
    setImmediate(() => {
      throw new Error('outside of the work');
    });
  if (what === 'fill') for (const held = []; ; ) held.push({ text: `${held.length} of many` });
  return new Promise(() => undefined);
}
