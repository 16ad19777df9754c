import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { join } from 'node:path';
import type { NatsServer } from './nats.js';
import type { Secrets } from './secrets.js';

/** Database of each service that has one. */
export const DATABASES = { auth: 'auth', 'admin-api': 'school', 'member-api': 'learner' } as const;
export type DatabaseName = (typeof DATABASES)[keyof typeof DATABASES];

/** Name of the key pair of tool calls: the gateway signs, the owners of tools verify. */
const CALLS = 'mcp-gateway.calls';

const RESOURCE_SERVERS = SERVICES.filter((name) => name !== 'auth');

export interface ServicePorts {
  readonly port: number;
  readonly managementPort: number;
}

/** The facts that services of one stack share. */
export interface ServiceSettings {
  readonly directory: string;
  readonly secrets: Secrets;
  readonly nats: Pick<NatsServer, 'url' | 'userName' | 'userPassword' | 'apiPrefix'>;
  readonly databaseUrl: (database: DatabaseName) => string;
  readonly authUrl: string;
  readonly developerInfoUrl: string;
  readonly logLevel?: string;
}

/** The environment of a service: everything that its configuration asks for. */
export function serviceEnvironment(
  service: ServiceName,
  ports: ServicePorts,
  around: ServiceSettings,
): Record<string, string> {
  const { secrets, nats } = around;
  const user = nats.userName(service);
  const password = nats.userPassword(service);
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(ports.port),
    MANAGEMENT_PORT: String(ports.managementPort),
    LOG_LEVEL: around.logLevel ?? 'info',
    // The edge runs on this machine. The stack sets the delay of services with several replicas.
    TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
    SHUTDOWN_DELAY_MS: '0',
    NATS_URL: nats.url,
    NATS_API_PREFIX: nats.apiPrefix(service),
    ...(user === undefined ? {} : { NATS_USER: user }),
    ...(password === undefined ? {} : { NATS_PASSWORD: password }),
    ...(service in DATABASES ? { DATABASE_URL: around.databaseUrl(DATABASES[service as keyof typeof DATABASES]) } : {}),
    ...(service === 'auth' ? authEnvironment(around) : resourceServerEnvironment(service, around)),
    ...(service === 'auth' || service === 'member-api' ? { MAIL_DIRECTORY: join(around.directory, 'mail') } : {}),
    ...(service === 'admin-api' || service === 'member-api'
      ? { CURSOR_KEY: secrets.key(`${service}.cursor`), CALL_PUBLIC_KEYS: secrets.keyPair(CALLS).publicKey }
      : {}),
    ...(service === 'admin-api'
      ? {
          FILES_DIRECTORY: join(around.directory, 'files'),
          FILES_KEY: secrets.key('admin-api.files'),
          KEY_ENCRYPTION_KEY: secrets.key('admin-api.key-encryption'),
          // Receivers of webhooks run on this machine too.
          WEBHOOKS_LOCAL_TARGETS: 'true',
        }
      : {}),
    ...(service === 'mcp-gateway' ? { CALL_SIGNING_KEY: secrets.keyPair(CALLS).privateKey } : {}),
    ...(service === 'member-api' ? { DOWNLOAD_KEY: secrets.key('member-api.download') } : {}),
  };
}

function authEnvironment({ secrets, developerInfoUrl }: ServiceSettings): Record<string, string> {
  const introspectors = RESOURCE_SERVERS.map((name) => [name, secrets.password(`introspection.${name}`)]);
  return {
    KEY_ENCRYPTION_KEY: secrets.key('auth.key-encryption'),
    COOKIE_KEYS: secrets.password('auth.cookies'),
    RESOURCE_SERVERS: JSON.stringify(Object.fromEntries(introspectors)),
    DEVELOPER_INFO_URL: developerInfoUrl,
  };
}

function resourceServerEnvironment(
  service: ServiceName,
  { secrets, authUrl }: ServiceSettings,
): Record<string, string> {
  return {
    INTROSPECTION_URL: `${authUrl}/api/oauth/introspect`,
    INTROSPECTION_CLIENT_ID: service,
    INTROSPECTION_CLIENT_SECRET: secrets.password(`introspection.${service}`),
  };
}
