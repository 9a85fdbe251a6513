const [leastMajor, leastMinor] = [20, 19];

/** A sentence about a version of Node on which the program does not run; null for every other one. */
export function faultOfNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return null;
  return `Node ${leastMajor}.${leastMinor} or later is needed, and this is Node ${version}. Install a newer one.`;
}
