/** A bundle may claim any number of seconds, and a Date cannot represent very late times. */
export function shownTime(seconds: number): string {
  return seconds < 2 ** 33 ? new Date(seconds * 1000).toISOString() : `${seconds} s after 1970`;
}
