import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import { graphql, type JsonResponse, send } from '../clients/http.js';
import { issueValues, VALID } from './issued-values.js';
import { listedTools, steadyKinds } from './kinds.js';
import { rollingRestart } from './rolling-restart.js';
import { Rotation } from './rotation.js';
import { MEMBER_SCOPE, OPERATOR_SCOPE, ScaleStack } from './scale-stack.js';
import {
  messagesUntilLimited,
  passkeyByTurns,
  refreshUntilLimited,
  revokeEverywhere,
  signInByTurns,
} from './shared-state.js';
import { SteadyLoad } from './steady-load.js';
import { Turns } from './turns.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-scale-'));
let scale: ScaleStack;
let rotation: Rotation;

beforeAll(async () => {
  rotation = new Rotation(directory);
  scale = await ScaleStack.start(directory);
}, 300_000);
afterAll(async () => {
  await scale?.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('state that replicas share', () => {
  it('signs in for an application with each step at the other replica', async () => {
    const { statuses, used } = await signInByTurns(scale);
    expect(statuses).toEqual([200, 200]);
    expect(used.length).toBeGreaterThan(6);
    expect([...new Set(used)]).toEqual([1, 2]);
  });

  it('accepts the response to a passkey challenge of the other replica, and only once', async () => {
    const { created, signedIn, replayed, used } = await passkeyByTurns(scale);
    expect(created.body).toContain('<h2>By turns</h2>');
    expect([signedIn.status, signedIn.url.pathname]).toEqual([200, '/account']);
    expect(replayed.status).toBeGreaterThanOrEqual(400);
    expect(replayed.url.pathname).toBe('/account/sign-in');
    expect([...new Set(used)]).toEqual([1, 2]);
  });

  it('refuses a revoked token at all replicas', async () => {
    const { before, after } = await revokeEverywhere(scale);
    expect(before).toEqual(before.map(() => 200));
    expect(after).toEqual(after.map(() => 401));
    expect(after).toHaveLength(6);
  });

  it('counts the refreshes of a grant at both replicas together', async () => {
    const { accepted, refused } = await refreshUntilLimited(scale);
    // The limit is 60; each replica grants 6 before its first lease, and an eighth may stay in a lease.
    expect(accepted).toBeGreaterThanOrEqual(60 - 8);
    expect(accepted).toBeLessThanOrEqual(60 + 6);
    expect(refused).toEqual([429, 429]);
  });

  it('counts the tool messages of a person at both gateways together', async () => {
    const { accepted, refused } = await messagesUntilLimited(scale);
    expect(accepted).toBeGreaterThanOrEqual(100 - 13);
    expect(accepted).toBeLessThanOrEqual(100);
    expect(refused).toEqual([429, 429]);
  });

  it('lists the tools at both gateways while one replica of their service runs, and hides them without any', async () => {
    const turns = new Turns(scale.replicas('mcp-gateway'), scale.site);
    const names = async (): Promise<string[]> => {
      const lists: string[] = [];
      for (let count = 0; count < 2; count += 1) {
        const { text } = await turns.send('/mcp', { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
        lists.push(listedTools(text));
      }
      return lists;
    };
    const [all, same] = await names();
    expect(all).toContain('browse_catalog');
    expect(same).toBe(all);
    const [first, second] = scale.replicas('admin-api');
    await first.halt();
    expect(await names()).toEqual([all, all]);
    await second.halt();
    await eventually(names, (lists) => lists.every((list) => list === 'whoami'));
    await Promise.all([first.start(), second.start()]);
    await eventually(names, (lists) => lists.every((list) => list === all));
  });
});

describe('a service without any replica', () => {
  let member: string;
  let operator: string;

  beforeAll(async () => {
    [{ access_token: member }, { access_token: operator }] = await Promise.all([
      scale.grant('student', 'member', MEMBER_SCOPE),
      scale.grant('admin', 'operator', OPERATOR_SCOPE),
    ]);
  });
  afterEach(async () => {
    for (const name of SERVICES) await scale.stack.start(name);
  });

  /** One request to each service, through the edge. */
  const promises: Readonly<Record<ServiceName, () => Promise<JsonResponse<unknown>>>> = {
    auth: () => send(`${scale.site.base_url}/.well-known/oauth-authorization-server`),
    'admin-api': () => send(`${scale.site.base_url}/api/v1/courses`, { token: operator }),
    'member-api': () => graphql(scale.site.base_url, member, '{ viewer { name } }'),
    'mcp-gateway': () =>
      send(`${scale.site.base_url}/mcp`, {
        headers: { accept: 'application/json, text/event-stream' },
        json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      }),
  };
  /** Services that cannot introspect tokens without auth. */
  const needsAuth: readonly ServiceName[] = ['admin-api', 'member-api'];

  it.each(SERVICES)('leaves the other services to their work without %s, and responds with 503', async (gone) => {
    const unavailable = gone === 'auth' ? ['auth', ...needsAuth] : [gone];
    const responses = async () =>
      Promise.all(SERVICES.map(async (name) => ({ name, response: await promises[name]() })));
    const statuses = async (): Promise<Record<string, number>> =>
      Object.fromEntries((await responses()).map(({ name, response }) => [name, response.status]));
    const wanted = Object.fromEntries(SERVICES.map((name) => [name, unavailable.includes(name) ? 503 : 200]));

    await scale.stack.kill(gone);
    await eventually(statuses, (now) => JSON.stringify(now) === JSON.stringify(wanted));
    for (const { name, response } of await responses()) {
      if (!unavailable.includes(name)) continue;
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(response.headers.get('www-authenticate')).toBeNull();
    }
    await scale.stack.start(gone);
    await eventually(statuses, (now) => Object.values(now).every((status) => status === 200));
  });
});

/** Requests that use secrets between services, at a rate that leaves a small machine time to start replicas. */
const WATCHED = ['viewer', 'list courses', 'tools/call with a token', 'refresh', 'authorize page'];

describe('a rotation of all secrets', () => {
  it('fails no request, and keeps cursors, links and sessions, while replicas add values and switch to them', async () => {
    const issued = await issueValues(scale, directory);
    await rotation.addLogins(scale.stack);
    const kinds = (await steadyKinds(scale)).filter(({ name }) => WATCHED.includes(name));
    const load = new SteadyLoad(kinds.map((kind) => ({ ...kind, clients: 1, pauseMs: Math.max(kind.pauseMs, 300) })));
    await load.served(1);
    for (const variables of [rotation.variables('add'), rotation.variables('switch', scale.stack)]) {
      scale.set(variables);
      await rollingRestart(scale);
      await load.served(1);
    }
    const { failures, requests } = await load.stop();
    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThan(WATCHED.length * 3);
    // No replica uses the first logins any more.
    await rotation.removeLogins(scale.stack);
    expect(await issued.use()).toEqual(VALID);
    issued.end();
  }, 600_000);
});
