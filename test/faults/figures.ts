/** A line of a log about some durations in milliseconds. */
export function medianAndWorst(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const seconds = (ms = Number.NaN) => `${(ms / 1000).toFixed(1)} s`;
  return `${seconds(sorted[Math.floor(sorted.length / 2)])} (median) and ${seconds(sorted.at(-1))} (worst)`;
}
