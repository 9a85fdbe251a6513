const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const locomo = /^(\d{1,2}):(\d\d) (am|pm) on (\d{1,2}) ([a-z]{3})[a-z]*,? (\d{4})$/i;
const longMemEval = /^(\d{4})\/(\d\d)\/(\d\d) \([a-z]{3}\) (\d\d:\d\d)$/i;

/**
 * The time of a session by ISO 8601, in UTC. LoCoMo writes `1:56 pm on 8 May, 2023` and LongMemEval `2023/05/20 (Sat) 02:21`.
 * Undefined for none and for another form.
 */
export function sessionTime(written: string | undefined): string | undefined {
  const [, year, month, day, time] = longMemEval.exec(written ?? '') ?? [];
  if (year !== undefined) return `${year}-${month}-${day}T${time}:00Z`;
  const [, hour, minute, half = '', date = '', name = '', ofYear] = locomo.exec(written ?? '') ?? [];
  if (ofYear === undefined) return undefined;
  const two = (n: number | string) => String(n).padStart(2, '0');
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return `${ofYear}-${two(months.indexOf(name.toLowerCase()) + 1)}-${two(date)}T${two(hours)}:${minute}:00Z`;
}
