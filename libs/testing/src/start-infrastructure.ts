import { SERVICES, type ServiceName } from '@lyceum/contracts';
import {
  bootstrapSettings,
  DATABASES,
  demoDefinition,
  freePort,
  identitySeed,
  isBuilt,
  NATS_USERS,
  runServiceCommand,
  Secrets,
  serviceEnvironment,
  startNats,
  startPostgres,
  startServiceProcess,
  untilServiceReady,
  type AppliedSite,
  type ServiceSettings,
} from '@lyceum/local';
import { bootstrap } from '@lyceum/topology';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InfrastructureFacts, TestAuth } from './infrastructure.js';
import { SUITE_SETTINGS } from './patient-settings.js';

export interface StartedInfrastructure {
  /** The file for `LYCEUM_TEST_INFRASTRUCTURE`. */
  readonly file: string;
  stop(): Promise<void>;
}

/** Starts PostgreSQL and NATS for tests, and optionally auth with two sites. */
export async function startInfrastructure(needs: { readonly auth: boolean }): Promise<StartedInfrastructure> {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-test-'));
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.reverse()) await end();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const [postgres, nats] = await Promise.all([
      startPostgres({ directory: join(directory, 'postgres'), databases: Object.values(DATABASES), durable: false }),
      startNats({ directory: join(directory, 'nats'), durable: false }),
    ]);
    stops.push(postgres.stop, nats.stop);
    await bootstrap(bootstrapSettings(nats));

    const authPort = await freePort();
    const settings: ServiceSettings = {
      directory,
      secrets: new Secrets(join(directory, 'secrets.json')),
      nats,
      databaseUrl: postgres.url,
      authUrl: `http://127.0.0.1:${authPort}`,
      developerInfoUrl: 'https://developers.example',
      logLevel: 'warn',
    };
    const environments = Object.fromEntries(
      SERVICES.map((name): [ServiceName, Record<string, string>] => {
        const environment = serviceEnvironment(name, { port: 0, managementPort: 0 }, settings);
        return [name, { ...environment, ...SUITE_SETTINGS }];
      }),
    ) as Record<ServiceName, Record<string, string>>;
    const auth = needs.auth
      ? await startAuth(settings, authPort, stops)
      : { unavailable: 'the Jest configuration of this suite does not ask for it' };
    const urls = Object.fromEntries(Object.values(DATABASES).map((name) => [name, postgres.url(name)]));
    const facts = {
      directory,
      postgres: { adminUrl: postgres.adminUrl, urls },
      nats: {
        url: nats.url,
        passwords: Object.fromEntries(NATS_USERS.map((user) => [user, nats.userPassword(user)])),
      },
      environments,
      auth,
    } as InfrastructureFacts;
    const file = join(directory, 'infrastructure.json');
    writeFileSync(file, JSON.stringify(facts, null, 2), { mode: 0o600 });
    return { file, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startAuth(
  settings: ServiceSettings,
  port: number,
  stops: (() => Promise<unknown>)[],
): Promise<TestAuth | { unavailable: string }> {
  if (!isBuilt('auth')) return { unavailable: 'apps/auth is not built (apps/auth/dist/main.js is missing)' };
  try {
    const managementPort = await freePort();
    const environment = serviceEnvironment('auth', { port, managementPort }, settings);
    await runServiceCommand('auth', environment, 'migrate');
    const child = startServiceProcess('auth', environment, join(settings.directory, 'auth.log'));
    stops.push(() => child.stop());
    const seed = join(settings.directory, 'identity-seed.json');
    writeFileSync(seed, JSON.stringify(identitySeed(demoDefinition(port))), { mode: 0o600 });
    const [printed] = await Promise.all([
      runServiceCommand('auth', environment, 'apply', seed),
      untilServiceReady(child, `http://127.0.0.1:${managementPort}`),
    ]);
    const { sites } = JSON.parse(printed) as { sites: AppliedSite[] };
    return {
      url: settings.authUrl,
      sites: sites.map((site) => ({ ...site, host: new URL(site.base_url).host })),
    };
  } catch (error) {
    return { unavailable: (error as Error).message };
  }
}
