import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface CommandRequest {
  readonly environment: Readonly<Record<string, string>>;
  /** The name of the command and its arguments. */
  readonly words: readonly string[];
}

export interface CommandServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A process that runs commands of auth: see `command-server.ts`. It cannot outlive this process. */
export async function startCommandServer(): Promise<CommandServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'command-server.js')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ready = new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  const url = await Promise.race([ready, ended.then(() => undefined)]);
  if (url === undefined) throw new Error(`The server of commands ended while it was starting:\n${log}`);
  return {
    url: url.trim(),
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
