import { site } from '../security/oauth/attack.js';
import { personOf } from '../stack/system-stack.js';
import { each, prove, type Proof } from './prove.js';
import { sql, walker } from './walker.js';

type Claims = Readonly<Record<string, unknown>>;

const { email, name } = personOf(site, 'admin');
const PICTURE = 'https://images.example/admin.png';
const OF_SCOPE: Readonly<Record<string, readonly string[]>> = {
  openid: ['sub', 'org_id', 'roles'],
  profile: ['name', 'picture'],
  email: ['email', 'email_verified'],
};
/** Claims of the id_token only: they describe the sign-in, not the person. */
const OF_SIGN_IN = ['iss', 'aud', 'exp', 'iat', 'nonce', 'auth_time'];

const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Claims;

/** The claims of both surfaces for a request with these scopes. */
async function claims(
  scope: string,
  more: Record<string, string> = {},
): Promise<{ idToken: Claims; userInfo: Claims }> {
  const actor = walker();
  const tokens = await actor.tokens({ scope: `${scope} account:read`, nonce: 'the-nonce', ...more }, 'admin');
  return { idToken: claimsOf(tokens.id_token), userInfo: (await actor.userInfo(tokens.access_token)).body };
}

const SET_PICTURE = `
  UPDATE site_members m SET picture = $3 FROM people p, sites s
   WHERE p.email = $1 AND p.person_id = m.person_id AND s.org_id = $2 AND s.site_id = m.site_id`;

let all: Awaited<ReturnType<typeof claims>>;

beforeAll(async () => {
  await sql(SET_PICTURE, email, site.org_id, PICTURE);
  all = await claims('openid profile email', { max_age: '3600' });
});
afterAll(() => sql(SET_PICTURE, email, site.org_id, null));

const EXPECTED: Claims = {
  iss: site.base_url,
  aud: expect.any(String),
  exp: expect.any(Number),
  iat: expect.any(Number),
  nonce: 'the-nonce',
  auth_time: expect.any(Number),
  sub: expect.stringMatching(/^[\da-f-]{36}$/),
  org_id: site.org_id,
  roles: ['admin'],
  name,
  picture: PICTURE,
  email,
  email_verified: true,
};

const supported =
  (claim: string): Proof =>
  async () => {
    expect(all.idToken[claim]).toEqual(EXPECTED[claim]);
    if (!OF_SIGN_IN.includes(claim)) expect(all.userInfo[claim]).toEqual(EXPECTED[claim]);
  };

/** A claim is present only with its scope. */
const ofItsScope =
  (claim: string): Proof =>
  async () => {
    const [scope] = Object.entries(OF_SCOPE).find(([, names]) => names.includes(claim))!;
    const others = ['openid', ...Object.keys(OF_SCOPE).filter((other) => other !== scope && other !== 'openid')];
    const { idToken, userInfo } = await claims(others.join(' '));
    const without = scope === 'openid' ? EXPECTED[claim] : undefined;
    expect([idToken[claim], userInfo[claim]]).toEqual([without, without]);
    expect([all.idToken[claim], all.userInfo[claim]]).toEqual([EXPECTED[claim], EXPECTED[claim]]);
  };

/** The scope grants exactly its claims, equally in the id_token and in UserInfo. */
const exactly =
  (scope: string): Proof =>
  async () => {
    const { idToken, userInfo } = await claims(scope === 'openid' ? 'openid' : `openid ${scope}`);
    const expected = [...OF_SCOPE['openid']!, ...(scope === 'openid' ? [] : OF_SCOPE[scope]!)].toSorted();
    expect(Object.keys(userInfo).toSorted()).toEqual(expected);
    const ofPerson = Object.entries(idToken).filter(([claim]) => !OF_SIGN_IN.includes(claim));
    expect(Object.fromEntries(ofPerson)).toEqual(userInfo);
  };

const keyed = (prefix: string, proofs: Readonly<Record<string, Proof>>): Record<string, Proof> =>
  Object.fromEntries(Object.entries(proofs).map(([claim, proof]) => [`${prefix}: ${claim}`, proof]));

prove('claims', {
  ...keyed('claims_supported', each([...OF_SIGN_IN, ...Object.values(OF_SCOPE).flat()], supported)),
  ...keyed('auth.md Identity', each(Object.values(OF_SCOPE).flat(), ofItsScope)),
  // `email` is a scope and a claim; the scope is the stronger proof.
  ...keyed('auth.md Identity', each(Object.keys(OF_SCOPE), exactly)),
});
