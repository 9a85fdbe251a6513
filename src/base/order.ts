/**
 * Compares two numbers for a sort that puts the larger one first. Their difference would often be a number with a fraction, and memory
 * is allocated for each of these.
 */
export const largerFirst = (a: number, b: number): number => Number(a < b) - Number(a > b);
