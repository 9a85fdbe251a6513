import tls from 'node:tls';

const waitMs = 2000;

/** Whether a server completes a handshake of TLS. One that demands a certificate of the client does so before it asks for it. */
export function speaksTls(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = tls.connect({ host, port, rejectUnauthorized: false });
    const timer = setTimeout(() => socket.destroy(), waitMs);
    socket.once('secureConnect', () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}
