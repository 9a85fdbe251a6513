/** The parts of WebAssembly that are used. The library that declares all of it declares the objects of browsers too, which Node does not have. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }

  class Memory {
    readonly buffer: ArrayBuffer;
  }

  class Instance {
    constructor(module: Module);
    readonly exports: Readonly<Record<string, Memory | ((...values: number[]) => number | undefined)>>;
  }
}
