/** Types for the part of the package that is used. The package has none. */
declare module 'fs-native-extensions' {
  const extensions: {
    /** Locks the whole file for this descriptor. @returns false while another descriptor, of any process, has it */
    tryLock(descriptor: number): boolean;
  };
  export default extensions;
}
