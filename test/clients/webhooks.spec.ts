import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import { systemStack } from '../stack/system-stack.js';
import { RECIPES, Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

const ROOT = join(__dirname, '../..');
const SCOPES = 'openid school:read school:write courses:read courses:write';
const site = systemStack().sites[0]!;
const recipe = new Recipe('webhooks', site.base_url);

let token: string;
let receiver: ChildProcess;
let output = '';
let endpoint: { readonly id: string; readonly secret: string };
let url: string;

async function send<Body = { id: string }>(method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(`${site.base_url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect([path, response.ok, text]).toEqual([path, true, text]);
  return (text === '' ? {} : JSON.parse(text)) as Body;
}

beforeAll(async () => {
  token = await tokenFor('operator', SCOPES);
  const port = await freePort();
  url = `http://127.0.0.1:${port}/`;
  endpoint = await send('POST', '/webhook_endpoints', { url, event_types: ['course.created', 'course.deleted'] });
  // In the root of the repository, where Node.js finds the package.
  receiver = spawn(process.execPath, ['--input-type=module', '--eval', recipe.block('js')], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: endpoint.secret, PORT: String(port) },
  });
  for (const stream of [receiver.stdout, receiver.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  await eventually(
    () =>
      fetch(url)
        .then(() => true)
        .catch(() => false),
    (answers) => answers,
  );
});
afterAll(async () => {
  if (endpoint !== undefined) await send('DELETE', `/webhook_endpoints/${endpoint.id}`);
  if (receiver === undefined) return;
  receiver.kill();
  if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit');
});

const lines = (of: string): string[] => output.split('\n').filter((line) => line.includes(of));

interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly object_id: string;
}

/** Waits until a delivery about the object has ended. */
async function ended(object_id: string): Promise<Delivery> {
  const list = () => send<{ data: Delivery[] }>('GET', `/webhook_deliveries?endpoint_id=${endpoint.id}`);
  const find = async (): Promise<Delivery | undefined> =>
    (await list()).data.find((delivery) => delivery.object_id === object_id && delivery.state !== 'pending');
  return (await eventually(find, (delivery) => delivery !== undefined))!;
}

it('verifies the deliveries of a school, and processes a repeated one once', async () => {
  const { id } = await send('POST', '/courses', { name: 'Knots', slug: `knots-${Date.now().toString(36)}` });
  const delivery = await ended(id);
  expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1 });
  expect(lines(id)).toEqual([expect.stringMatching(/^course\.created .*"name":"Knots"/)]);
  await send('POST', `/webhook_deliveries/${delivery.id}/redeliver`);
  expect(await ended(id)).toMatchObject({ state: 'succeeded', attempts: 1 });
  expect(lines(id)).toHaveLength(1);
  await send('DELETE', `/courses/${id}`);
  await eventually(
    () => Promise.resolve(lines(id)),
    ({ length }) => length === 2,
  );
  expect(lines(id)[1]).toContain('course.deleted');
});

it('refuses a message that the school did not sign, and goes on', async () => {
  const headers = { 'webhook-id': 'forged', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
  const body = JSON.stringify({ type: 'course.created', object_id: 'forged', data: {} });
  const forged = (signature: string) =>
    fetch(url, { method: 'POST', headers: { ...headers, 'webhook-signature': signature }, body });
  expect((await forged('v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=')).status).toBe(400);
  expect((await fetch(url, { method: 'POST', body })).status).toBe(400);
  expect(lines('forged')).toEqual([]);
  expect(receiver.exitCode).toBeNull();
});

it('lists the types that the document describes, after the scope that an endpoint needs for them', () => {
  const { webhooks } = JSON.parse(readFileSync(join(ROOT, 'dist/openapi.json'), 'utf8')) as {
    webhooks: Record<string, { post: { description: string } }>;
  };
  const scoped = Object.entries(webhooks).flatMap(([type, { post }]) => {
    const [, scope] = /needs the scope `([^`]+)`/.exec(post.description) ?? [];
    return scope === undefined ? [] : [{ type, scope }];
  });
  expect(scoped).toHaveLength(Object.keys(webhooks).length - 1);
  const byScope = [...Map.groupBy(scoped, ({ scope }) => scope)];
  const parts = byScope.map(([scope, types]) => `\`${scope}\`: ${types.map(({ type }) => `\`${type}\``).join(', ')}`);
  const [last] = readFileSync(join(RECIPES, 'webhooks.md'), 'utf8').trimEnd().split('\n').slice(-1);
  expect(last).toBe(`${parts.join('; ')}.`);
});

it('keeps the receiver to 20 lines', () => {
  expect(recipe.block('js').trimEnd().split('\n').length).toBeLessThanOrEqual(20);
});
