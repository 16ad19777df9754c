import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { apiPrefixOf } from '../nats.js';
import type { Secrets } from '../secrets.js';
import { serviceEnvironment, type ServiceSettings } from '../services.js';
import { natsPasswords } from './nats-configuration.js';

/** Addresses inside the network of the containers. */
export interface Addresses {
  /** `host:port` */
  readonly postgres: string;
  readonly natsUrl: string;
  readonly authUrl: string;
  /** Where the services keep files and mails. */
  readonly data: string;
}

/** Variables of services that come from files. All others stand in docker/compose.yaml. */
const SECRET_VARIABLES: ReadonlySet<string> = new Set([
  'CALL_PUBLIC_KEYS',
  'CALL_SIGNING_KEY',
  'COOKIE_KEYS',
  'CURSOR_KEY',
  'DATABASE_URL',
  'DOWNLOAD_KEY',
  'FILES_KEY',
  'INTROSPECTION_CLIENT_SECRET',
  'KEY_ENCRYPTION_KEY',
  'NATS_PASSWORD',
  'RESOURCE_SERVERS',
]);

/** The ports of every container. */
const PORTS = { port: 8080, managementPort: 9090 };

export const SUPERUSER = 'postgres';

export function databasePassword(secrets: Secrets, role: string): string {
  return secrets.password(`postgres.${role}`);
}

export function databaseUrl(secrets: Secrets, { postgres }: Addresses, role: string, database = role): string {
  return `postgresql://${role}:${databasePassword(secrets, role)}@${postgres}/${database}`;
}

/** The facts that the containers of one host share. */
export function composeSettings(secrets: Secrets, addresses: Addresses): ServiceSettings {
  return {
    directory: addresses.data,
    secrets,
    nats: {
      url: addresses.natsUrl,
      userName: (user) => user,
      userPassword: (user) => natsPassword(secrets, user),
      apiPrefix: apiPrefixOf,
    },
    databaseUrl: (database) => databaseUrl(secrets, addresses, database),
    authUrl: addresses.authUrl,
    developerInfoUrl: 'https://developers.example',
  };
}

/** The environment of a service, as the local stack has it. */
export function composeEnvironment(service: ServiceName, settings: ServiceSettings): Record<string, string> {
  return serviceEnvironment(service, PORTS, settings);
}

/** The files with secrets, by container: it sees those of its folder alone. */
export function secretFiles(
  secrets: Secrets,
  addresses: Addresses,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const settings = composeSettings(secrets, addresses);
  const services = SERVICES.map((service) => {
    const variables = Object.entries(composeEnvironment(service, settings));
    return [service, Object.fromEntries(variables.filter(([name]) => SECRET_VARIABLES.has(name)))] as const;
  });
  return {
    postgres: { password: databasePassword(secrets, SUPERUSER) },
    nats: { 'passwords.conf': natsPasswords((user) => natsPassword(secrets, user)) },
    bootstrap: { NATS_PASSWORD: natsPassword(secrets, 'bootstrap') },
    ...Object.fromEntries(services),
  };
}

function natsPassword(secrets: Secrets, user: string): string {
  return secrets.password(`nats.${user}`);
}
