import { readFileSync } from 'node:fs';
import { eventually } from '@lyceum/testing';
import { clientOf, systemStack } from '../../stack/system-stack.js';
import { Actor } from '../oauth/attack.js';
import { ERAS, META, call, memberTokens, operatorToken, post, send, site, sourceIn } from './attack.js';
import { listenEverywhere } from './nats.js';

const WANTED = { kind: 'confidential', role: 'owner' } as const;
const list = (options: Parameters<typeof post>[1]) => call('my_courses', {}, options);

let token: string;
let operator: string;
beforeAll(async () => {
  ({ access_token: token } = await memberTokens(undefined, WANTED));
  operator = await operatorToken('courses:read', { kind: 'confidential', role: 'lecturer' });
});

it('refuses a revoked token and its refreshed successor', async () => {
  const { access_token, refresh_token } = await memberTokens(undefined, WANTED);
  expect((await list({ token: access_token })).status).toBe(200);
  const { client_id, client_secret = '' } = clientOf(site, 'member', 'confidential');
  const actor = new Actor(sourceIn(71));
  const form = { token: refresh_token, client_id, client_secret };
  expect((await actor.send('/api/oauth/revoke', { form })).status).toBe(200);
  await eventually(
    () => list({ token: access_token }),
    ({ status }) => status === 401,
  );
  expect((await actor.refresh(refresh_token, { client_id, client_secret })).body['error']).toBe('invalid_grant');
});

it('puts no token into messages between services or logs', async () => {
  const messages: string[] = [];
  const listeners = await listenEverywhere(({ subject, data, headers }) => {
    const sent = [...(headers ?? [])].flatMap(([name, values]) => [name, ...values]);
    messages.push([subject, Buffer.from(data).toString(), ...sent].join('\n'));
  });
  try {
    const both = { member: token, operator };
    for (const era of ERAS) {
      expect((await call('my_courses', {}, { token }, era)).status).toBe(200);
      expect((await call('list_courses', {}, { token: operator }, era)).status).toBe(200);
      expect((await call('whoami', {}, { token }, era)).status).toBe(200);
      await send(era, { method: 'prompts/get', params: { name: 'plan_my_study_week' } }, { token });
    }
    // Places where clients put it by mistake. Without a source, the request goes through the edge.
    await post(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } },
      { path: `/mcp?access_token=${token}` },
    );
    await post('{', { token });
    await call('nothing', {}, { token });
    await call('my_courses', {}, { headers: { authorization: `Token ${token}` } });
    await Promise.all(listeners.map((listener) => listener.flush()));
    const calls = messages.filter((message) => message.startsWith('tools.'));
    expect(calls.length).toBeGreaterThanOrEqual(6);
    for (const [whose, secret] of Object.entries(both)) {
      expect([whose, messages.filter((message) => message.includes(secret))]).toEqual([whose, []]);
      for (const { name, log_file } of systemStack().services) {
        const log = readFileSync(log_file, 'utf8');
        expect([name, log.length > 0, log.includes(secret)]).toEqual([name, true, false]);
      }
    }
  } finally {
    await Promise.all(listeners.map((listener) => listener.close()));
  }
});
