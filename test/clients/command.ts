import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const BIN = join(__dirname, '../../node_modules/.bin');

/** A temporary home directory for one command-line client. */
export class Home {
  readonly path = mkdtempSync(join(tmpdir(), 'lyceum-client-'));
  private readonly commands: Command[] = [];

  /** Starts the command of an npm package with an empty environment and without a browser. */
  start(name: string, args: readonly string[], environment: Record<string, string> = {}): Command {
    const child = spawn(process.execPath, [join(BIN, name), ...args], {
      cwd: this.path,
      env: {
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: this.path,
        TMPDIR: this.path,
        // Programs that open a browser check this first.
        BROWSER: '/bin/true',
        NO_COLOR: '1',
        ...environment,
      },
    });
    const command = new Command(name, child);
    this.commands.push(command);
    return command;
  }

  /** Kills the processes that still run. */
  async remove(): Promise<void> {
    await Promise.all(this.commands.map(async (command) => command.kill()));
    rmSync(this.path, { recursive: true, force: true });
  }
}

export class Command {
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;

  constructor(
    private readonly name: string,
    private readonly child: ChildProcessWithoutNullStreams,
  ) {
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = once(child, 'close').then(([code]) => code as number | null);
  }

  /** Writes one line of JSON to its stdin (MCP stdio transport). */
  write(message: object): void {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Waits for the pattern in the output. Returns its first group. */
  async printed(pattern: RegExp): Promise<string> {
    const has = Promise.withResolvers<string>();
    const look = (): void => {
      const found = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
      if (found) has.resolve(found[1] ?? found[0]);
    };
    look();
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on('data', look);
    void this.ended.then((code) =>
      has.reject(
        new Error(`${this.name} ended with ${code} before it printed ${pattern}:
${this.stderr}${this.stdout}`),
      ),
    );
    try {
      return await has.promise;
    } finally {
      for (const stream of [this.child.stdout, this.child.stderr]) stream.off('data', look);
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
