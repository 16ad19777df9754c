import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HUB_API, SERVICES } from '@lyceum/contracts';
import type { ServiceName } from '@lyceum/contracts';
import { Secrets, serviceEnvironment } from '@lyceum/local';
import { readConfiguration } from '@lyceum/platform';
import type { z } from 'zod';
import { ROOT } from './generated.ts';
import { readGolden, workloads } from './objects.ts';
import type { Manifests, Workload } from './objects.ts';
import { OVERLAYS } from './render.ts';

type Environment = Readonly<Record<string, string>>;

/** Where each service declares its variables. */
const SCHEMAS: Readonly<Record<ServiceName, readonly [file: string, name: string]>> = {
  auth: ['src/auth.environment.ts', 'authEnvironment'],
  'admin-api': ['src/configuration.ts', 'environment'],
  'member-api': ['src/configuration.ts', 'environment'],
  'mcp-gateway': ['src/configuration.ts', 'environment'],
};

async function schemaOf(service: ServiceName): Promise<z.ZodObject> {
  const [file, name] = SCHEMAS[service];
  const { [name]: schema } = (await import(join(ROOT, 'apps', service, file))) as Record<
    string,
    z.ZodObject | undefined
  >;
  if (schema === undefined) throw new Error(`${file} of ${service} has no ${name}`);
  return schema;
}

/** The variables of the first container. */
function environmentOf(manifests: Manifests, { pod }: Workload): Environment {
  const [container] = pod.containers;
  const maps = (container?.envFrom ?? []).map(({ configMapRef }) => configMapRef?.name ?? '');
  const settings = maps.map((name) => manifests.get<{ data: Record<string, string> }>('ConfigMap', name).data);
  const own = (container?.env ?? []).map(({ name, value = '' }) => [name, value] as const);
  return Object.assign({}, ...settings, Object.fromEntries(own)) as Environment;
}

/** Variables that the schema reads and the environment lacks, and those that the schema does not know. */
function faults(schema: z.ZodObject, environment: Environment): { missing: string[]; unknown: string[] } {
  const known = Object.keys(schema.shape);
  const given = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
  return {
    missing: known.filter((name) => !given.includes(name)),
    unknown: given.filter((name) => !known.includes(name)),
  };
}

/** Workloads of the overlay that read the configuration of a service. */
const readersOf = (manifests: Manifests, service: string) =>
  workloads(manifests).filter(({ labels }) => labels['app.kubernetes.io/name'] === service);

describe.each(OVERLAYS)('the settings of %s', (overlay) => {
  const manifests = readGolden(overlay);
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-settings-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  /** Secrets of the local stack, and of what it does not have. */
  function secretsOf(service: ServiceName): Environment {
    const local = serviceEnvironment(
      service,
      { port: 1, managementPort: 2 },
      {
        directory,
        secrets: new Secrets(join(directory, 'secrets.json')),
        nats: { url: '', userName: () => service, userPassword: () => 'a password', apiPrefix: () => HUB_API },
        databaseUrl: (database) => `postgres://${database}:a-password@${database}-rw:5432/${database}`,
        authUrl: 'http://auth:8080',
        developerInfoUrl: 'https://developers.example',
      },
    );
    const others = { MAIL_SMTP_URL: 'smtps://u:p@mail.example', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' };
    return { ...local, ...others };
  }

  /** The environment with the secrets in files. */
  function mounted(service: ServiceName, environment: Environment): Environment {
    const secrets = secretsOf(service);
    return Object.fromEntries(
      Object.entries(environment).map(([name, value]) => {
        if (!name.endsWith('_FILE')) return [name, value];
        const file = join(directory, `${service}-${name}`);
        writeFileSync(file, secrets[name.replace(/_FILE$/, '')] ?? '');
        return [name, file];
      }),
    );
  }

  describe.each(SERVICES)('for %s', (service) => {
    let schema: z.ZodObject;
    beforeAll(async () => {
      schema = await schemaOf(service);
    });
    const readers = readersOf(manifests, service);

    it('sets each variable that the service reads, and no other', () => {
      expect(readers.length).toBeGreaterThan(0);
      for (const one of readers) {
        expect([one.title, faults(schema, environmentOf(manifests, one))]).toEqual([
          one.title,
          { missing: [], unknown: [] },
        ]);
      }
    });

    it('passes the schema of the service', () => {
      for (const one of readers) {
        const config = readConfiguration(schema, mounted(service, environmentOf(manifests, one)));
        expect(config).toMatchObject({
          PORT: 8080,
          MANAGEMENT_PORT: 9090,
          NATS_USER: service,
          NATS_API_PREFIX: HUB_API,
        });
      }
    });
  });

  it('names the proxies, and a store of files that all replicas share', () => {
    const [one] = readersOf(manifests, 'admin-api');
    const environment = environmentOf(manifests, one!);
    expect(environment['TRUSTED_PROXIES']).not.toBe('none');
    expect(environment['S3_ENDPOINT']).toMatch(/^https:/);
    expect(environment['S3_BUCKET']).not.toBe('');
    expect(environment['WEBHOOKS_LOCAL_TARGETS']).toBe('false');
  });
});

it.each(SERVICES)('refuses numbers of %s in other characters than digits', async (service) => {
  const variables: [string, z.ZodType][] = Object.entries((await schemaOf(service)).shape);
  const numbers = variables.filter(([, schema]) => typeof schema.safeParse(undefined).data === 'number');
  expect(numbers.length).toBeGreaterThan(10);
  for (const text of [' ', ' 80', '0x50', '8e1'])
    expect(numbers.filter(([, schema]) => schema.safeParse(text).success).map(([name]) => name)).toEqual([]);
});

it('finds a variable that is missing, and one that the service does not know', async () => {
  const auth = await schemaOf('auth');
  const manifests = readGolden('prod');
  const [one] = readersOf(manifests, 'auth');
  const { KEY_ROTATION_DAYS: days, ...others } = environmentOf(manifests, one!);
  expect(days).toBe('90');
  expect(faults(auth, { ...others, KEY_ROTATION_DAY: '90' })).toEqual({
    missing: ['KEY_ROTATION_DAYS'],
    unknown: ['KEY_ROTATION_DAY'],
  });
});
