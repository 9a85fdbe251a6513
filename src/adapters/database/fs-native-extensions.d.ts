/** The package has no types of its own; this is what is used of it. */
declare module 'fs-native-extensions' {
  const extensions: {
    /** Locks the whole file for this descriptor. @returns false while another descriptor, of any process, has it */
    tryLock(descriptor: number): boolean;
  };
  export default extensions;
}
