import { PROGRAMS, SERVICES } from '@lyceum/contracts';
import { demoDefinition, startStack, type DemoDefinition } from '@lyceum/local';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENT_SETTINGS } from './patient-settings.js';
import { startCommandServer } from './start-command-server.js';

export interface StartedSystem {
  /** The file for `LYCEUM_TEST_STACK`. */
  readonly file: string;
  stop(): Promise<void>;
}

/** The demo, and at each site an application with a web address: redirects to those are matched exactly. */
function systemDefinition(...made: Parameters<typeof demoDefinition>): DemoDefinition {
  const { sites } = demoDefinition(...made);
  return {
    sites: sites.map((site) => {
      const web = {
        client_id: `${site.slug}-web-app`,
        name: 'Web app',
        audience: 'operator',
        redirect_uris: [`https://app.${site.slug}.example/oauth/callback`],
        scopes: ['openid', 'courses:read', 'courses:write'],
      } as const;
      return { ...site, clients: [...site.clients, web] };
    }),
  };
}

/** The whole platform on its own ports and data, for the system tests. */
export async function startSystem(): Promise<StartedSystem> {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-system-'));
  const commands = await startCommandServer();
  const stack = await startStack({
    directory,
    durable: false,
    demo: systemDefinition,
    // The suites share people and clients. The suites of member-api test the limit.
    settings: {
      // A suite that changes a site waits until auth sees it.
      auth: { ...PATIENT_SETTINGS, SITE_CACHE_MS: '500' },
      'admin-api': PATIENT_SETTINGS,
      'member-api': { ...PATIENT_SETTINGS, CORS_CACHE_MS: '500', RATE_LIMIT_POINTS: '1000000' },
      // All suites are one anonymous source, and a fast machine runs several of them within a minute. The suites of
      // mcp-gateway test the limits.
      'mcp-gateway': {
        ...PATIENT_SETTINGS,
        SHARED_VALUE_TIMEOUT_MS: '10000',
        ANONYMOUS_MESSAGES: '3600',
        CLIENT_MESSAGES: '1000',
        PERSON_MESSAGES: '5000',
      },
    },
  });
  const services = stack.services.map(({ name, internalUrl, managementUrl, logFile, pid }) => ({
    name,
    internal_url: internalUrl,
    management_url: managementUrl,
    log_file: logFile,
    pid,
  }));
  const file = join(directory, 'system.json');
  const { nats } = stack;
  const environments = {
    ...Object.fromEntries(SERVICES.map((name) => [name, stack.environment(name)])),
    ...Object.fromEntries(
      PROGRAMS.map((name) => [
        name,
        { NATS_URL: nats.url, NATS_USER: name, NATS_PASSWORD: nats.userPassword(name) ?? '' },
      ]),
    ),
  };
  // The services' credentials are in their environments; this user may publish and subscribe to everything.
  const nats_admin = { user: 'admin', password: nats.userPassword('admin') };
  const facts = { sites: stack.sites, services, environments, nats_admin, auth_commands: commands.url };
  writeFileSync(file, JSON.stringify(facts, null, 2), { mode: 0o600 });
  return {
    file,
    stop: async () => {
      await Promise.all([stack.stop(), commands.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
