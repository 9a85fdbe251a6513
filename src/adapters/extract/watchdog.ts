import { workerData } from 'node:worker_threads';

const { memoryMb, cpuMs, wallMs }: { memoryMb: number; cpuMs: number; wallMs: number } = workerData;

// This runs in a separate thread, because a document may keep the reading thread so busy that its timers never fire.
setInterval(() => {
  if (process.memoryUsage.rss() > memoryMb * 1024 ** 2) process.kill(process.pid, 'SIGKILL');
  const { user, system } = process.cpuUsage();
  // The service distinguishes the bounds by the signals. No handler of this one is installed, so it ends the process at once.
  if (user + system > cpuMs * 1000) process.kill(process.pid, 'SIGXCPU');
}, 10);
setTimeout(() => process.kill(process.pid, 'SIGKILL'), wallMs);
