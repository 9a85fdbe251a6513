import { workerData } from 'node:worker_threads';

const { memoryMb, timeoutMs }: { memoryMb: number; timeoutMs: number } = workerData;

// This runs in a separate thread, because a document may keep the reading thread so busy that its timers never fire.
setInterval(() => {
  if (process.memoryUsage.rss() > memoryMb * 1024 ** 2) process.kill(process.pid, 'SIGKILL');
}, 10);
setTimeout(() => process.kill(process.pid, 'SIGKILL'), timeoutMs);
