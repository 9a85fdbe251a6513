import { workerData } from 'node:worker_threads';

const { memoryMb, timeoutMs }: { memoryMb: number; timeoutMs: number } = workerData;

// A thread beside the one that reads, which a document may keep so busy that no timer of its own ever fires.
setInterval(() => {
  if (process.memoryUsage.rss() > memoryMb * 1024 ** 2) process.kill(process.pid, 'SIGKILL');
}, 10);
setTimeout(() => process.kill(process.pid, 'SIGKILL'), timeoutMs);
