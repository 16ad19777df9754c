import { eventually } from '@lyceum/testing';
import { ERAS, Gateway, OTHER, SITE, call, request, send, wire } from './gateway.js';
import type { Sent } from './gateway.js';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await Gateway.start({ replicas: 2 });
});
afterAll(() => gateway?.close());

let serial = 0;
const member = (): Sent => ({ token: `member.c${(serial += 1)}` });
const list = (sent: Sent, url = gateway.url) => send(url, 'modern', { method: 'tools/list' }, sent);

/** Writes the entry of the site, as auth does, and waits until all replicas follow. */
async function connections(mcp_connections: boolean | null): Promise<void> {
  await gateway.auth.putSite({ ...SITE, mcp_connections });
  const expected = mcp_connections === false ? 403 : 200;
  await eventually(async () => {
    const states = await Promise.all(gateway.replicas.map(({ url }) => list(member(), url)));
    return states.every(({ status }) => status === expected);
  });
}

async function listen(sent: Sent): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const params = { notifications: { toolsListChanged: true } };
  const { body, headers } = wire('modern', { id: 'changes', method: 'subscriptions/listen', params });
  const response = await request(gateway.url, body, { ...sent, headers });
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('acknowledged');
  return reader;
}

describe('A site with MCP connections switched off', () => {
  it.each(ERAS)('refuses tokens of members and operators, valid or not, without a challenge (%s)', async (era) => {
    await connections(false);
    for (const token of [member().token, `operator.c${(serial += 1)}`, 'expired', 'never-seen']) {
      const { status, headers, body } = await send(gateway.url, era, { method: 'tools/list' }, { token });
      expect([token, status, body['code']]).toEqual([token, 403, 'forbidden']);
      expect(headers.get('www-authenticate')).toBeNull();
    }
  });

  it.each(ERAS)('serves public tools, and asks no anonymous caller to sign in (%s)', async (era) => {
    await connections(false);
    expect((await call(gateway.url, era, 'browse_catalog', {})).status).toBe(200);
    for (const tool of ['whoami', 'my_courses', 'list_courses']) {
      const { status, headers, body } = await call(gateway.url, era, tool, {});
      expect([tool, status, body['code']]).toEqual([tool, 403, 'forbidden']);
      expect(headers.get('www-authenticate')).toBeNull();
    }
  });

  it('leaves other sites alone, and connects again when it is switched on', async () => {
    await connections(false);
    expect((await list({ token: 'foreign', host: OTHER.host })).status).toBe(200);
    await connections(true);
    expect((await call(gateway.url, 'modern', 'whoami', {}, member())).status).toBe(200);
  });

  it('ends the open subscriptions of signed-in callers, and no anonymous one', async () => {
    await connections(null);
    const [signedIn, anonymous] = [await listen(member()), await listen({})];
    await connections(false);
    expect((await signedIn.read()).done).toBe(true);
    // Time is what is tested: the stream of an anonymous caller stays open and quiet.
    const quiet = new Promise<string>((resolve) => setTimeout(() => resolve('open'), 200));
    expect(await Promise.race([anonymous.read().then(({ done }) => (done ? 'ended' : 'event')), quiet])).toBe('open');
    await anonymous.cancel();
  });
});

describe('A site that is suspended', () => {
  it('ends the open subscriptions of all callers', async () => {
    await connections(null);
    const open = [await listen(member()), await listen({})];
    await gateway.auth.putSite({ ...SITE, state: 'suspended' });
    for (const stream of open) expect((await stream.read()).done).toBe(true);
    await connections(null);
  });
});

describe('A token that is revoked', () => {
  it('ends its streams, and no others', async () => {
    await connections(null);
    const [revoked, other] = [await listen({ token: 'revocable' }), await listen(member())];
    await gateway.auth.revokeGrant('revocable');
    expect((await revoked.read()).done).toBe(true);
    // Time is what is tested: the other stream stays open and quiet.
    const quiet = new Promise<string>((resolve) => setTimeout(() => resolve('open'), 200));
    expect(await Promise.race([other.read().then(({ done }) => (done ? 'ended' : 'event')), quiet])).toBe('open');
    await other.cancel();
  });
});
