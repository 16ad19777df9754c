import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provision } from '../provision.js';
import { DATABASES } from '../services.js';
import { WORKSPACE } from '../workspace.js';
import { caddyfile } from './caddyfile.js';
import { makeDemo } from './demo-job.js';
import { natsConfiguration } from './nats-configuration.js';
import { prepare, secretsIn } from './prepare.js';
import { composeSettings, databasePassword, databaseUrl, SUPERUSER } from './settings.js';

/** The programs of docker/compose.yaml: each is a container that runs once. */
const PROGRAMS: Readonly<Record<string, () => Promise<void> | void>> = {
  /** Secrets, and the owners of the volumes. */
  prepare: () => prepare(variable('SECRETS'), addresses(), variable('FOLDERS').split(',')),
  /** Databases with their roles. */
  databases: () => {
    const secrets = secretsIn(variable('SECRETS'));
    const url = databaseUrl(secrets, addresses(), SUPERUSER, 'postgres');
    return provision(url, Object.values(DATABASES), (role) => databasePassword(secrets, role));
  },
  demo: () => {
    const settings = composeSettings(secretsIn(variable('SECRETS')), addresses());
    return makeDemo(settings, Number(variable('LYCEUM_PORT')), variable('LYCEUM_DEMO'));
  },
  /** For developers: writes the generated files of docker/. */
  generate: () => {
    writeFileSync(join(WORKSPACE, 'docker/nats/nats.conf'), natsConfiguration());
    writeFileSync(join(WORKSPACE, 'docker/edge/Caddyfile'), caddyfile());
  },
};

function addresses() {
  return {
    postgres: variable('POSTGRES'),
    natsUrl: variable('NATS_URL'),
    authUrl: variable('AUTH_URL'),
    data: variable('DATA'),
  };
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is required`);
  return value;
}

const program = PROGRAMS[process.argv[2] ?? ''];
if (program === undefined) {
  process.stderr.write(`usage: main.js ${Object.keys(PROGRAMS).join(' | ')}\n`);
  process.exit(64);
}
await program();
