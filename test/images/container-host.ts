import { execFile, spawnSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(import.meta.dirname, '../..');
/** The base image of docker/Dockerfile. */
const BASE = 'docker.io/library/node:24-bookworm-slim';
const PROGRAMS = ['buildah', 'podman', 'runc', 'mmdebstrap'];
const OUTPUT_BYTES = 64 * 1024 ** 2;

const run = promisify(execFile);

/** The reason why this machine cannot build and run images. */
export function containerObstacle(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'The proof needs Linux and the user root.';
  const missing = PROGRAMS.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  return missing.length > 0 ? `Missing programs, all packages of Debian: ${missing.join(', ')}.` : undefined;
}

/** Images and containers in a folder of their own: those of the machine are neither used nor changed. */
export class ContainerHost {
  private readonly directory: string;
  private readonly environment: Readonly<Record<string, string | undefined>>;

  constructor(directory: string) {
    this.directory = directory;
    const storage = join(directory, 'storage.conf');
    const containers = join(directory, 'containers.conf');
    const [graph, state] = [join(directory, 'storage'), join(directory, 'run')];
    writeFileSync(storage, `[storage]\ndriver = "overlay"\ngraphroot = "${graph}"\nrunroot = "${state}"\n`);
    // The defaults need systemd and limits above those of a container in which CI may run.
    const limits = '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=1024:1024"]\n';
    writeFileSync(containers, `${limits}[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc"\n`);
    this.environment = {
      ...process.env,
      CONTAINERS_STORAGE_CONF: storage,
      CONTAINERS_CONF: containers,
      BUILDAH_ISOLATION: 'chroot',
    };
  }

  /** Makes an image of Debian with Node and npm under the name of the base image. */
  async makeBase(): Promise<void> {
    const debian = join(this.directory, 'debian.tar');
    await this.call('mmdebstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', debian);
    // …/npm/bin/npm-cli.js. npm itself looks for its folder beside Node, which may be a package of the workspace.
    const npm = dirname(dirname(realpathSync((await this.call('sh', '-c', 'command -v npm')).trim())));
    const container = (await this.call('buildah', 'from', 'scratch')).trim();
    const copy = (from: string, to: string): Promise<string> => this.call('buildah', 'copy', container, from, to);
    await this.call('buildah', 'add', container, debian, '/');
    await copy(join(ROOT, 'node_modules/node/bin/node'), '/usr/local/bin/node');
    await copy(npm, '/usr/local/lib/node_modules/npm');
    for (const name of ['npm', 'npx']) {
      const program = `../lib/node_modules/npm/bin/${name}-cli.js`;
      await this.call('buildah', 'run', container, '--', 'ln', '-s', program, `/usr/local/bin/${name}`);
    }
    await this.call('buildah', 'commit', '--rm', container, BASE);
  }

  /** Runs docker/build. Returns the folder with the lists of packages. */
  async build(tag: string, services: readonly string[]): Promise<string> {
    const lists = join(this.directory, 'lists');
    const options = ['--tool', 'buildah', '--local-base', '--tag', tag, '--output', lists];
    await this.call(join(ROOT, 'docker/build'), ...options, ...services);
    return lists;
  }

  /** Deletes all containers and images. Their mounts would keep the folder from being deleted. */
  async remove(): Promise<void> {
    await this.podman('rm', '--all', '--force');
    await this.call('buildah', 'rm', '--all');
    await this.call('buildah', 'rmi', '--all', '--force');
    for (const folder of ['overlay', 'overlay-containers']) {
      await this.call('sh', '-c', 'umount "$1" 2>/dev/null || true', 'sh', join(this.directory, 'storage', folder));
    }
  }

  /** Bytes of an image; of the base image by default. */
  async size(image = BASE): Promise<number> {
    return Number(await this.inspect(image, '{{.Size}}'));
  }

  /** One value of an image or container. */
  async inspect(name: string, format: string): Promise<string> {
    return (await this.podman('inspect', '--format', format, name)).trim();
  }

  podman(...args: string[]): Promise<string> {
    return this.call('podman', ...args);
  }

  private async call(program: string, ...args: string[]): Promise<string> {
    try {
      return (await run(program, args, { env: this.environment, maxBuffer: OUTPUT_BYTES })).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      const end = `${stdout}${stderr}`.trimEnd().split('\n').slice(-20).join('\n');
      throw new Error(`${program} ${args[0] ?? ''} failed: ${end || (error as Error).message}`, { cause: error });
    }
  }
}
