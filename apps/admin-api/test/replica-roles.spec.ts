import { startService } from '@lyceum/platform';
import type { RunningService } from '@lyceum/platform';
import { eventually, ServedRoles, untilReady } from '@lyceum/testing';
import { adminApi } from '#src/admin-api.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

let api: TestApi;
let roles: ServedRoles;
beforeAll(async () => {
  api = await startAdminApi();
  roles = await ServedRoles.open(api.nats, 'admin-api');
  // Replicas with roles follow.
  await api.service.close();
});
afterAll(async () => {
  await roles.close();
  await api.stop();
});

async function run(role: 'http' | 'background', work: (replica: RunningService) => Promise<void>): Promise<void> {
  const replica = await startService({ ...adminApi, role }, api.config);
  try {
    await untilReady(replica.managementUrl);
    await work(replica);
  } finally {
    await replica.close();
  }
}

it('serves requests over HTTP and NATS, and pulls no event, in the role http', async () => {
  await run('http', async ({ app, url }) => {
    expect(app.getHttpServer().listening).toBe(true);
    // The address of the process is no site.
    expect((await fetch(url)).status).toBe(421);
    await eventually(() => roles.responds());
    // A replica that starts later pulls from all consumers, so this one would pull by now.
    await run('background', () => roles.untilPulled());
    await eventually(async () => (await roles.consumers()).pulled === 0);
    expect(await roles.responds()).toBe(true);
  });
});

it('pulls events, and serves the management alone, in the role jobs', async () => {
  await run('background', async ({ app, url, managementUrl }) => {
    await roles.untilPulled();
    expect(url).toBe('');
    expect(app.getHttpServer().listening).toBe(false);
    expect(await roles.responds()).toBe(false);
    expect((await fetch(`${managementUrl}/metrics`)).status).toBe(200);
  });
});

it('shows the age of the oldest job of each queue', async () => {
  await run('background', async ({ managementUrl }) => {
    const text = await (await fetch(`${managementUrl}/metrics`)).text();
    const queues = [...text.matchAll(/^jobs_oldest_seconds\{queue="([^"]+)"/gm)].map(([, queue = '']) => queue);
    expect(queues.toSorted()).toEqual(['exports', 'imports', 'page_deployments', 'webhook_erasures']);
  });
});
