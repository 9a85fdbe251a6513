// Loaded before everything else, in every thread: makes writes and fsyncs fail as a broken disk does, for as long as the
// file that FAULTS names says so: "<operation> <code> <part of the path>", such as "fsync EIO pg_wal".
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const { existsSync, readFileSync, readlinkSync, fsyncSync, writeSync } = fs;

function failing(operation, descriptor) {
  if (!existsSync(process.env.FAULTS)) return undefined;
  const [name, code, part] = readFileSync(process.env.FAULTS, 'utf8').trim().split(' ');
  if (name !== operation || !readlinkSync(`/proc/self/fd/${descriptor}`).includes(part)) return undefined;
  return Object.assign(new Error(`${code}: injected, ${operation}`), { code, errno: code === 'ENOSPC' ? -28 : -5 });
}

function wrap(operation, original) {
  return (descriptor, ...rest) => {
    const error = failing(operation, descriptor);
    if (error) throw error;
    return original(descriptor, ...rest);
  };
}

if (!isMainThread) {
  fs.fsyncSync = wrap('fsync', fsyncSync);
  fs.writeSync = wrap('write', writeSync);
  syncBuiltinESMExports();
}
