import { Actor, member, memberServer, site, sourceIn, outcome, type Fields } from './attack.js';
import { personOf } from '../../stack/system-stack.js';

const actor = new Actor(sourceIn(51));

it('supports the authorization code grant', async () => {
  expect(outcome(await actor.exchange('no-such-code'))).toEqual([400, 'invalid_grant']);
  expect((await actor.callback()).get('code')).toEqual(expect.any(String));
});

it('supports no other grant', async () => {
  const { email, password } = personOf(site, 'student');
  const tokens = await actor.tokens();
  const grants: Record<string, Fields> = {
    password: { username: email, password },
    client_credentials: { client_id: memberServer.client_id, client_secret: memberServer.client_secret! },
    'urn:ietf:params:oauth:grant-type:jwt-bearer': { assertion: tokens.id_token },
    'urn:ietf:params:oauth:grant-type:token-exchange': { subject_token: tokens.access_token },
    'urn:ietf:params:oauth:grant-type:device_code': { device_code: 'x' },
    implicit: {},
  };
  for (const [grant_type, more] of Object.entries(grants)) {
    const response = await actor.token({ grant_type, client_id: member.client_id, ...more });
    expect([grant_type, ...outcome(response)]).toEqual([grant_type, 400, 'unsupported_grant_type']);
  }
});

it.each(['token', 'id_token', 'code token', 'code id_token', 'id_token token', 'none'])(
  'returns no token in the front channel for response_type=%s (RFC 9700 §2.1.2)',
  async (response_type) => {
    const { status, headers } = await actor.send(actor.authorization({ response_type, nonce: 'x' }));
    const { hash, search } = new URL(headers['location']!);
    const given = new URLSearchParams(`${search.slice(1)}&${hash.slice(1)}`);
    expect([status, given.get('error'), given.get('state')]).toEqual([303, 'unsupported_response_type', 'the-state']);
    expect([...given.keys()]).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(access_token|id_token|code)$/)]),
    );
  },
);
