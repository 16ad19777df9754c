import { connect } from 'node:net';

export interface NatsGreeting {
  readonly version: string;
  readonly jetstream?: boolean;
}

/** The first line of the NATS protocol (`INFO {…}`), sent before authentication. */
export function natsGreeting(host: string, port: number, patience = 2_000): Promise<NatsGreeting> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: patience });
    let text = '';
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.setEncoding('utf8');
    socket.once('error', fail);
    socket.once('timeout', () => fail(new Error(`No greeting from NATS at ${host}:${port}`)));
    socket.once('close', () => fail(new Error(`NATS at ${host}:${port} closed the connection`)));
    socket.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\r\n');
      if (end < 0) return;
      socket.destroy();
      try {
        resolve(JSON.parse(text.slice(text.indexOf('{'), end)) as NatsGreeting);
      } catch {
        reject(new Error(`What listens at ${host}:${port} is no NATS server`));
      }
    });
  });
}
