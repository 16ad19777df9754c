import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@lyceum/contracts';
import {
  eventually,
  freePort,
  natsProgram,
  runServiceCommand,
  startPostgres,
  startServiceProcess,
} from '@lyceum/local';
import { composeFile, ROOT, type Container } from './compose-file.js';

type Environment = Readonly<Record<string, string>>;

interface Stoppable {
  stop(): Promise<unknown>;
}

const isService = (name: string): name is ServiceName => (SERVICES as readonly string[]).includes(name);

/**
 * The containers of `docker/compose.yaml` as processes of this machine, for machines without a container engine. It
 * keeps commands, environments, mounted files and the order. Addresses and mount points become those of this machine.
 */
export class PlayedContainers {
  private readonly running: Stoppable[] = [];
  private readonly ports = new Map<string, number>();
  private readonly file;

  private constructor(
    private readonly directory: string,
    readonly edgePort: number,
  ) {
    this.file = composeFile({ LYCEUM_PORT: String(edgePort), LYCEUM_DEMO: 'small' });
  }

  /** Starts each container as soon as those that it needs are ready. Returns the output of the demo. */
  static async start(directory: string): Promise<{ readonly containers: PlayedContainers; readonly demo: string }> {
    const containers = new PlayedContainers(directory, await freePort());
    for (const name of ['postgres', 'nats', ...SERVICES]) containers.ports.set(name, await freePort());
    const started = new Map<string, Promise<string>>();
    for (const [name, container] of Object.entries(containers.file.services)) {
      const needed = Object.keys(container.depends_on ?? {}).flatMap((one) => started.get(one) ?? []);
      started.set(
        name,
        Promise.all(needed).then(() => containers.play(name, container)),
      );
    }
    await Promise.allSettled(started.values());
    try {
      await Promise.all(started.values());
      return { containers, demo: (await started.get('demo')) ?? '' };
    } catch (error) {
      await containers.stop();
      throw error;
    }
  }

  /** Runs a container again. */
  again(name: string): Promise<string> {
    return this.play(name, this.file.services[name]!);
  }

  async stop(): Promise<void> {
    for (const one of this.running.splice(0).reverse()) await one.stop();
  }

  /** Starts a server until it is ready, or runs a job to its end. Returns the output of the job. */
  private async play(name: string, container: Container): Promise<string> {
    const environment = await this.environmentOf(name, container);
    const migrated = name.replace('-migrate', '');
    if (name === 'postgres') await this.postgres(environment);
    else if (name === 'nats') await this.nats(container);
    else if (name === 'edge') await this.edge(container, environment);
    else if (isService(name)) await this.service(name, environment);
    else if (isService(migrated)) return runServiceCommand(migrated, environment, ...container.command!);
    else {
      const [, entry = 'deploy/local/dist/compose/main.js'] = container.entrypoint ?? [];
      return this.job([join(ROOT, entry), ...(container.command ?? [])], environment);
    }
    return '';
  }

  private async postgres({ POSTGRES_PASSWORD_FILE = '' }: Environment): Promise<void> {
    const directory = join(this.directory, 'postgres');
    mkdirSync(directory, { recursive: true });
    const postgres = readFileSync(POSTGRES_PASSWORD_FILE, 'utf8');
    writeFileSync(join(directory, 'passwords.json'), JSON.stringify({ postgres }));
    this.running.push(
      await startPostgres({ directory, databases: [], port: this.ports.get('postgres')!, durable: false }),
    );
  }

  private async nats(container: Container): Promise<void> {
    // The container mounts the folder with the passwords beside the configuration.
    const text = this.mountedFile(container, '/etc/nats/nats.conf')
      .replace('0.0.0.0:4222', `127.0.0.1:${this.ports.get('nats')}`)
      .replace('127.0.0.1:8222', `127.0.0.1:${await freePort()}`)
      .replace('"/data"', JSON.stringify(join(this.directory, 'nats')))
      .replace('"secrets/', '"nats/');
    const configuration = join(this.directory, 'secrets/nats.conf');
    writeFileSync(configuration, text);
    this.server('nats', [natsProgram(), '--config', configuration], {});
  }

  private async edge(container: Container, environment: Environment): Promise<void> {
    const text = SERVICES.reduce(
      (so_far, name) => so_far.replaceAll(` ${name}\n`, ` 127.0.0.1:${this.ports.get(name)}\n`),
      this.mountedFile(container, '/etc/caddy/Caddyfile')
        .replace('{service}:8080', '{service}')
        .replace('/srv/mail', join(this.directory, 'data/mail')),
    );
    const configuration = join(this.directory, 'Caddyfile');
    writeFileSync(configuration, text);
    this.server('edge', ['caddy', 'run', '--adapter', 'caddyfile', '--config', configuration], environment);
    await this.untilOk(`http://127.0.0.1:${this.edgePort}/-/mails/`);
  }

  private async service(name: ServiceName, environment: Environment): Promise<void> {
    const child = startServiceProcess(name, { ...environment }, join(this.directory, `${name}.log`));
    this.running.push(child);
    await this.untilOk(`http://127.0.0.1:${environment['MANAGEMENT_PORT']}/readyz`);
  }

  private server(name: string, [program, ...args]: readonly string[], environment: Environment): void {
    const log = openSync(join(this.directory, `${name}.log`), 'a');
    const child: ChildProcess = spawn(program!, args, {
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'], HOME: this.directory, ...environment },
    });
    const ended = once(child, 'exit');
    this.running.push({
      stop: async () => {
        child.kill('SIGTERM');
        await ended;
      },
    });
  }

  private async job(args: readonly string[], environment: Environment): Promise<string> {
    const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], ...environment } });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${output}`);
    return output;
  }

  private async environmentOf(name: string, { environment = {} }: Container): Promise<Record<string, string>> {
    const owner = name.replace('-migrate', '');
    const local = Object.fromEntries(
      Object.entries(environment).map(([variable, value]) => [variable, this.local(owner, value)]),
    );
    if (!isService(owner)) return local;
    const PORT = String(this.ports.get(owner));
    return { ...local, HOST: '127.0.0.1', PORT, MANAGEMENT_PORT: String(await freePort()) };
  }

  /** A value with the addresses and mount points of this machine. */
  private local(owner: string, value: string): string {
    return [...this.ports]
      .reduce((text, [host, port]) => text.replace(new RegExp(`\\b${host}:\\d+`), `127.0.0.1:${port}`), value)
      .replace('10.213.77.2', '127.0.0.1')
      .replace('/run/secrets/lyceum', join(this.directory, 'secrets', owner))
      .replace(/^\/secrets$/, join(this.directory, 'secrets'))
      .replaceAll('/data', join(this.directory, 'data'));
  }

  private mountedFile({ volumes = [] }: Container, target: string): string {
    const mount = volumes.map((one) => one.split(':')).find(([, mounted]) => mounted === target);
    return readFileSync(join(ROOT, 'docker', mount?.[0] ?? 'missing'), 'utf8');
  }

  private async untilOk(url: string): Promise<void> {
    const status = async (): Promise<number | undefined> => {
      const response = await fetch(url).catch(() => undefined);
      await response?.body?.cancel();
      return response?.status;
    };
    await eventually(status, (last) => last === 200);
  }
}
