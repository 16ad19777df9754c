import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approve } from '@lyceum/testing';
import type { Configuration, TokenEndpointResponse } from 'openid-client';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import { send } from './http.js';
import { authorizationRequest, exchange } from './member-client.js';
import { Recipe } from './recipe.js';

interface Tokens {
  save(tokens: TokenEndpointResponse): Promise<string>;
  accessToken(renew?: boolean): Promise<string>;
}

interface Exports {
  schoolTokens(config: Configuration, file: string): Tokens;
}

const site = systemStack().sites[0]!;
const { schoolTokens } = new Recipe('server-integration', site.base_url).run<Exports>();

let folder: string;
let file: string;
let config: Configuration;
let tokens: Tokens;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-integration-'));
});
afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  file = join(folder, `${expect.getState().currentTestName}.json`);
  const client = clientOf(site, 'operator', 'confidential');
  const request = await authorizationRequest(site.base_url, client, 'openid courses:read');
  config = request.configuration;
  const callback = await approve(request.url, personOf(site, 'owner'));
  tokens = schoolTokens(config, file);
  await tokens.save(await exchange(request, callback));
});

/** Returns the file, with tokens that are due for a renewal. */
async function due(): Promise<string> {
  const text = JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), renew_at: 0 });
  await writeFile(file, text);
  return text;
}

const status = async (token: string): Promise<number> =>
  (await send(`${site.base_url}/api/v1/courses`, { token })).status;

it('keeps a sign-in across restarts, and renews it once for concurrent requests', async () => {
  const first = await tokens.accessToken();
  expect(await schoolTokens(config, file).accessToken()).toBe(first);
  await due();
  const [one, other] = await Promise.all([tokens.accessToken(), tokens.accessToken()]);
  expect(one).not.toBe(first);
  expect(other).toBe(one);
  expect(await status(one)).toBe(200);
});

it('renews a refused token before its time, once for concurrent requests', async () => {
  const first = await tokens.accessToken();
  const pending = tokens.accessToken();
  const [one, other] = await Promise.all([tokens.accessToken(true), tokens.accessToken(true)]);
  expect(await pending).toBe(first);
  expect(one).not.toBe(first);
  expect(other).toBe(one);
  expect(await status(one)).toBe(200);
  expect(await tokens.accessToken()).toBe(one);
});

it('goes on after a crash between the response and the write', async () => {
  const before = await due();
  const lost = await tokens.accessToken();
  await writeFile(file, before);
  const restarted = schoolTokens(config, file);
  const again = await restarted.accessToken();
  expect(again).not.toBe(lost);
  expect(await status(again)).toBe(200);
  await due();
  expect(await status(await restarted.accessToken())).toBe(200);
});

it('removes the tokens of an ended sign-in', async () => {
  const before = await due();
  await tokens.accessToken();
  await due();
  await tokens.accessToken();
  // The token of two renewals ago.
  await writeFile(file, before);
  await expect(tokens.accessToken()).rejects.toMatchObject({ error: 'invalid_grant' });
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
});
