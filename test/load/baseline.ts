import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { BaselineProcess } from './suite.ts';

/** Baselines run like the services: each in a process, on the same Node, in production mode. */
export class Baselines {
  readonly #children: { readonly name: string; readonly child: ChildProcess }[] = [];

  async start(name: string, configuration: object): Promise<BaselineProcess> {
    const child = fork(join(import.meta.dirname, 'baselines', `${name}.ts`), {
      env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    });
    this.#children.push({ name, child });
    const patience = setTimeout(() => child.kill('SIGKILL'), 30_000);
    const port = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('message', (message) => resolve(message as number));
      child.once('exit', (code, signal) => reject(new Error(`The baseline ${name} ended with ${signal ?? code}`)));
      child.send(configuration);
    }).finally(() => clearTimeout(patience));
    return { origin: `http://127.0.0.1:${port}`, pid: child.pid! };
  }

  get processes(): readonly { readonly name: string; readonly pid: number }[] {
    return this.#children.map(({ name, child }) => ({ name: `baseline ${name}`, pid: child.pid! }));
  }

  /** A baseline ends with its parent. */
  async stop(): Promise<void> {
    const running = this.#children
      .splice(0)
      .filter(({ child }) => child.exitCode === null && child.signalCode === null);
    await Promise.all(
      running.map(({ child }) => {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.disconnect();
        return ended;
      }),
    );
  }
}
