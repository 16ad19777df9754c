import { MEMBER_SCOPES, OPERATOR_SCOPES } from '@lyceum/contracts';
import { siteSettings } from '#src/sites/site.js';
import { decideRegistration } from './registration.policy.js';
import type { RegistrationRequest } from './registration.policy.js';

const PLATFORMS = [
  {
    client_id: 'big-assistant',
    name: 'Big Assistant',
    redirect_uris: ['https://big.example/callback'],
    aliases: ['Big Assistant Desktop'],
  },
];
const OPEN = siteSettings({});
const LOOPBACK = 'http://127.0.0.1:8400/callback';

function decide(request: Partial<RegistrationRequest>, settings = OPEN): unknown {
  return decideRegistration(
    { client_name: undefined, redirect_uris: [], post_logout_redirect_uris: [], scope: undefined, ...request },
    PLATFORMS,
    { name: 'Harbour School', settings },
  );
}
const refusal = (error: string): unknown => expect.objectContaining({ kind: 'refused', error });

describe('The registration policy', () => {
  it.each([
    ['with its own redirect URI', ['https://big.example/callback']],
    ['without any', []],
  ])('returns the client of a known platform %s', (_name, redirect_uris) => {
    expect(decide({ client_name: 'Big Assistant', redirect_uris })).toMatchObject({
      kind: 'platform',
      platform: { client_id: 'big-assistant' },
    });
  });

  it('returns no platform client for a foreign redirect URI under the name of a platform', () => {
    const foreign = { client_name: 'Big Assistant', redirect_uris: ['https://evil.example/callback'] };
    expect(decide(foreign)).toEqual(refusal('invalid_redirect_uri'));
    expect(decide({ client_name: 'Big Assistant', redirect_uris: [LOOPBACK] })).toEqual(
      refusal('invalid_client_metadata'),
    );
    expect(decide({ client_name: 'big assistant' })).toEqual(refusal('invalid_client_metadata'));
    expect(decide({ client_name: 'Big\u00a0Assistant' })).toEqual(refusal('invalid_client_metadata'));
  });

  it('recognizes a platform by each of its names', () => {
    expect(decide({ client_name: 'Big Assistant Desktop' })).toMatchObject({
      platform: { client_id: 'big-assistant' },
    });
  });

  it.each([
    ['Cyrillic', 'Big Аssistant'],
    ['full width', 'Ｂig Assistant'],
    ['a ligature', 'Big Aﬆistant'],
    ['an accent', 'Big Assistánt'],
    ['a combining accent', 'Big Assista\u0301nt'],
    ['a wide space', 'Big\u2003Assistant'],
    ['two spaces', 'Big  Assistant'],
    ['capitals', 'BIG ASSISTANT'],
    ['more', 'Big Assistant Pro'],
    ['nothing', ''],
  ])('treats a name with %s as unknown', (_name, client_name) => {
    expect(decide({ client_name })).toEqual(refusal('invalid_client_metadata'));
    const redirect_uris = ['https://big.example/callback'];
    expect(decide({ client_name, redirect_uris })).toEqual(refusal('invalid_redirect_uri'));
  });

  it.each(['BIG ASSISTANT', 'Big Аssistant', 'Big  Assistant', 'big assistant desktop', 'Harbour School'])(
    'refuses %p on loopback, which looks like the name of a platform or of the site',
    (client_name) => {
      expect(decide({ client_name, redirect_uris: [LOOPBACK] })).toEqual(refusal('invalid_client_metadata'));
    },
  );

  it.each(['Big Assistant Pro', 'My Big Assistant', 'Harbour School Helper'])(
    'creates a client named %p on loopback, which only contains such a name',
    (client_name) => {
      expect(decide({ client_name, redirect_uris: [LOOPBACK] })).toMatchObject({ kind: 'loopback', name: client_name });
    },
  );

  it('creates a client on loopback, with or without a name', () => {
    expect(decide({ redirect_uris: [LOOPBACK] })).toMatchObject({ kind: 'loopback', name: expect.any(String) });
    expect(decide({ client_name: 'Tool', redirect_uris: [LOOPBACK] })).toMatchObject({ name: 'Tool' });
  });

  it('refuses a redirect URI that is not loopback before an unknown name', () => {
    expect(decide({ client_name: 'Unknown', redirect_uris: ['https://app.example/cb'] })).toEqual(
      refusal('invalid_redirect_uri'),
    );
    expect(decide({ redirect_uris: [LOOPBACK, 'https://app.example/cb'] })).toEqual(refusal('invalid_redirect_uri'));
  });

  it('accepts loopback logout URIs and no others', () => {
    const after = (uri: string): unknown => decide({ redirect_uris: [LOOPBACK], post_logout_redirect_uris: [uri] });
    expect(after(`${LOOPBACK}/bye`)).toMatchObject({ post_logout_redirect_uris: [`${LOOPBACK}/bye`] });
    expect(after('https://app.example/bye')).toEqual(refusal('invalid_redirect_uri'));
  });

  it('refuses all other registrations, and loopback too where the site has closed them', () => {
    expect(decide({})).toEqual(refusal('invalid_client_metadata'));
    const closed = { ...OPEN, loopback_registration: false };
    expect(decide({ redirect_uris: [LOOPBACK] }, closed)).toEqual(refusal('invalid_client_metadata'));
    const strict = { ...OPEN, localhost_registration: false };
    expect(decide({ redirect_uris: ['http://localhost:1/cb'] }, strict)).toEqual(refusal('invalid_redirect_uri'));
  });

  it.each([
    ['another redirect URI', { redirect_uris: ['https://app.example/cb'] }, OPEN],
    ['a closed registration', { redirect_uris: [LOOPBACK] }, { ...OPEN, loopback_registration: false }],
  ])('names who creates the application when it refuses %s', (_case, request, settings) => {
    expect(decide(request, settings)).toMatchObject({
      description: expect.stringContaining('an owner or admin of the site creates the application'),
    });
  });

  it.each(MEMBER_SCOPES)('refuses the scope %s, also for a platform', (scope) => {
    expect(decide({ redirect_uris: [LOOPBACK], scope: `openid ${scope}` })).toEqual(refusal('invalid_scope'));
    expect(decide({ client_name: 'Big Assistant', scope })).toEqual(refusal('invalid_scope'));
  });

  it.each([undefined, 'openid', 'courses:read offline_access'])(
    'grants all operator scopes for a request of %p',
    (scope) => {
      expect(decide({ redirect_uris: [LOOPBACK], scope })).toMatchObject({
        scopes: expect.arrayContaining([...OPERATOR_SCOPES]),
      });
    },
  );
});
