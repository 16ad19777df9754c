import { member, operator, site } from '../security/oauth/attack.js';
import { factsOf } from './documents.js';
import { prove, type Proof } from './prove.js';
import { authorizationError, walker } from './walker.js';
import { SCOPES, SCOPE_NAMES } from '@lyceum/contracts';

const AUDIENCES = { member: [member.client_id, 'student'], operator: [operator.client_id, 'owner'] } as const;
type Audience = keyof typeof AUDIENCES;
const audiencesOf = (scope: keyof typeof SCOPES): readonly Audience[] => {
  const { audience } = SCOPES[scope];
  return audience === 'identity' ? ['member', 'operator'] : [audience];
};

const person = walker();
/** The granted scopes of a person who requested all of the audience. One flow for each audience. */
const granted = new Map<Audience, readonly string[]>();

beforeAll(async () => {
  for (const audience of ['member', 'operator'] as const) {
    const [client_id, role] = AUDIENCES[audience];
    const scope = SCOPE_NAMES.filter((name) => audiencesOf(name).includes(audience)).join(' ');
    const { scope: given } = await walker().tokens({ client_id, scope }, role);
    granted.set(audience, given.split(' '));
  }
});

/** The audience of the scope gets it; the other one gets `invalid_scope`. */
async function obtainable(scope: keyof typeof SCOPES): Promise<void> {
  const own = audiencesOf(scope);
  for (const audience of ['member', 'operator'] as const) {
    const [client_id] = AUDIENCES[audience];
    expect([scope, audience, granted.get(audience)!.includes(scope)]).toEqual([
      scope,
      audience,
      own.includes(audience),
    ]);
    // A foreign scope is refused beside `openid`, too.
    const error = await authorizationError(person, { client_id, scope: `openid ${scope}` });
    expect([scope, audience, error]).toEqual([scope, audience, own.includes(audience) ? undefined : 'invalid_scope']);
  }
}

const inGuide =
  (scope: keyof typeof SCOPES): Proof =>
  async (audience) =>
    expect(audience).toBe(SCOPES[scope].audience);

prove('scopes', {
  ...Object.fromEntries(SCOPE_NAMES.map((scope) => [`scopes_supported: ${scope}`, () => obtainable(scope)])),
  ...Object.fromEntries(SCOPE_NAMES.map((scope) => [`auth.md ${scope}`, inGuide(scope)])),
});

it.each(['courses', 'course:read', 'courses:read ', 'COURSES:READ', 'orders:write', 'comments:write', 'admin', '*'])(
  'refuses the scope %j, which no document names',
  async (scope) => {
    const named = await factsOf('scopes');
    expect(named.has(`scopes_supported: ${scope}`)).toBe(false);
    const { client_id } = operator;
    const requested = `openid ${scope}`;
    expect(await authorizationError(person, { client_id, scope: requested, resource: site.base_url })).toBe(
      'invalid_scope',
    );
  },
);
