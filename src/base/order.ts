/**
 * Compares two numbers for a sort that puts the larger one first. A difference would be a number with a fraction, for each of which
 * memory is allocated: in the sorts of a search that was a thirtieth of all that it allocated.
 */
export const largerFirst = (a: number, b: number): number => Number(a < b) - Number(a > b);
