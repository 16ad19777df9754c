import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { DATABASES, freePort } from '@lyceum/local';
import { startInfrastructure, type Infrastructure } from '@lyceum/testing';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Proof } from '../long/proof.ts';
import { containerObstacle, ContainerHost, ROOT } from './container-host.ts';

const TAG = 'proof';
const MEGABYTE = 1_000_000;
const MOST_MEGABYTES = 70;
const MOST_START_MS = 15_000;

/** As restricted as a pod of the Kubernetes profile "restricted" with a read-only root and no folder for files. */
const RESTRICTED = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  // The servers listen on loopback.
  '--network=host',
];

type Environment = Readonly<Record<string, string>>;

export const imageProof: Proof = {
  name: 'images',
  title: 'the image of each service starts as uid 10001 with a read-only root and no capabilities',
  obstacle: containerObstacle,
  run: async (scratch) => {
    const host = new ContainerHost(scratch);
    try {
      return await proveImages(host, scratch);
    } finally {
      await host.remove();
    }
  },
};

async function proveImages(host: ContainerHost, scratch: string): Promise<Figure[]> {
  await host.makeBase();
  const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const lists = await host.build(TAG, SERVICES);
  const servers = await startInfrastructure({ auth: false });
  try {
    const { environments } = JSON.parse(readFileSync(servers.file, 'utf8')) as Infrastructure;
    const figures: Figure[] = [];
    for (const service of SERVICES) {
      assertListed(join(lists, `lyceum-${service}.cdx.json`));
      await assertDescribed(host, service, revision);
      figures.push(...(await proveService(host, service, environments[service], scratch)));
    }
    return figures;
  } finally {
    await servers.stop();
  }
}

async function proveService(
  host: ContainerHost,
  service: ServiceName,
  given: Environment,
  scratch: string,
): Promise<Figure[]> {
  const image = imageOf(service);
  const data = join(scratch, `data-${service}`);
  for (const folder of ['', 'mail', 'files']) mkdirSync(join(data, folder), { recursive: true });
  for (const folder of ['', 'mail', 'files']) chmodSync(join(data, folder), 0o777);
  const [port, managementPort] = [await freePort(), await freePort()];
  const environment = {
    ...given,
    PORT: String(port),
    MANAGEMENT_PORT: String(managementPort),
    ...('MAIL_DIRECTORY' in given ? { MAIL_DIRECTORY: '/data/mail' } : {}),
    ...('FILES_DIRECTORY' in given ? { FILES_DIRECTORY: '/data/files' } : {}),
  };
  const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const options = [...RESTRICTED, ...variables, '--volume', `${data}:/data`];
  if (service in DATABASES) await host.podman('run', '--rm', ...options, image, 'migrate');

  const began = performance.now();
  const container = (await host.podman('run', '--detach', ...options, image)).trim();
  try {
    await untilReady(host, container, managementPort);
    const milliseconds = Math.round(performance.now() - began);
    assertRestricted(Number(await host.inspect(container, '{{.State.Pid}}')));
    await host.podman('stop', '--time', '20', container);
    const code = await host.inspect(container, '{{.State.ExitCode}}');
    if (code !== '0') throw new Error(`${service} ended with exit code ${code} on SIGTERM`);
    const above = ((await host.size(image)) - (await host.size())) / MEGABYTE;
    return [
      { title: `${service}, above its base image`, value: above, unit: 'MB', at_most: MOST_MEGABYTES },
      { title: `${service}, from podman run to ready`, value: milliseconds, unit: 'ms', at_most: MOST_START_MS },
    ];
  } finally {
    await host.podman('rm', '--force', container);
  }
}

async function untilReady(host: ContainerHost, container: string, port: number): Promise<void> {
  const until = performance.now() + 4 * MOST_START_MS;
  let last = '';
  while (performance.now() < until) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      if (response.ok) return;
      last = await response.text();
    } catch (error) {
      last = (error as Error).message;
    }
    await sleep(50);
  }
  throw new Error(
    `The container is not ready (${last}). Its log:\n${await host.podman('logs', '--tail', '20', container)}`,
  );
}

/** Asks the kernel about the process, not the container program about its options. */
function assertRestricted(pid: number): void {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const value = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  const root = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, , , , place]) => place === '/');
  const found = {
    uids: [...new Set(value('Uid').split(/\s+/))].join(),
    gids: [...new Set(value('Gid').split(/\s+/))].join(),
    capabilities: [...new Set(['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map(value))].join(),
    noNewPrivileges: value('NoNewPrivs'),
    root: root?.[5]?.split(',')[0],
  };
  const wanted = { uids: '10001', gids: '10001', capabilities: '0000000000000000', noNewPrivileges: '1', root: 'ro' };
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`The process is not restricted: ${JSON.stringify(found)}`);
}

function imageOf(service: ServiceName): string {
  return `localhost/lyceum-${service}:${TAG}`;
}

async function assertDescribed(host: ContainerHost, service: ServiceName, revision: string): Promise<void> {
  const image = imageOf(service);
  const config = JSON.parse(await host.inspect(image, '{{json .Config}}')) as {
    readonly Labels: Environment;
    readonly Healthcheck?: unknown;
  };
  const label = (name: string): string => config.Labels[`org.opencontainers.image.${name}`] ?? '';
  const found = [label('title'), label('version'), label('revision'), Number.isNaN(Date.parse(label('created')))];
  const wanted = [`lyceum-${service}`, TAG, revision, false];
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${image} has the labels ${JSON.stringify(config.Labels)}`);
  if (config.Healthcheck !== undefined) throw new Error(`${image} has a HEALTHCHECK`);
}

function assertListed(file: string): void {
  const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly bomFormat: string;
    readonly components: readonly unknown[];
  };
  if (bomFormat !== 'CycloneDX' || components.length < 50) throw new Error(`${file} lists no packages`);
}
