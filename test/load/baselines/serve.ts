import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Waits for the configuration, serves on a free port, and reports it. Ends with the parent. */
export function serve<C>(start: (configuration: C) => Promise<Server>): void {
  process.once('disconnect', () => process.exit(0));
  process.once('message', (configuration: C) => {
    void start(configuration).then(
      (server) => process.send!((server.address() as AddressInfo).port),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
