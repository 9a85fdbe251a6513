/** The characters with the property White_Space of Unicode, most of which look like a space or like nothing. */
export const whiteSpace =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

const oneOf = /\p{White_Space}/gu;

/**
 * The name of a namespace as it is compared: each white space is a space. No reader can distinguish "team a" with a no-break space from
 * "team a" with a space, so they are one name. The name is stored as it was given.
 */
export const comparedName = (name: string): string => name.replace(oneOf, ' ');
