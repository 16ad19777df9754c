import {
  ADVERTISED_RESOURCE_SCOPES,
  IDENTITY_SCOPES,
  MEMBER_SCOPES,
  OPERATOR_SCOPES,
  SCOPES,
  SCOPE_NAMES,
  isScope,
  readScopeOf,
  splitScope,
} from './scopes.js';

/** The table of the service contract, section 5, repeated: the catalog must equal it, in its order. */
const CONTRACT = [
  'openid',
  'profile',
  'email',
  'courses:read',
  'courses:write',
  'students:read',
  'students:write',
  'members:read',
  'members:write',
  'analytics:read',
  'curriculum:read',
  'curriculum:write',
  'orders:read',
  'school:read',
  'school:write',
  'appearance:read',
  'appearance:write',
  'events:read',
  'events:write',
  'membership_plans:read',
  'membership_plans:write',
  'coupons:read',
  'coupons:write',
  'posts:read',
  'posts:write',
  'subscriptions:read',
  'subscriptions:write',
  'digital_products:read',
  'digital_products:write',
  'comments:read',
  'lecturers:read',
  'lecturers:write',
  'storage:write',
  'forms:read',
  'pages:read',
  'pages:write',
  'account:read',
  'account:write',
];

describe('the scope catalog', () => {
  it('equals the table of the contract, in its order', () => {
    expect(SCOPE_NAMES).toEqual(CONTRACT);
  });

  it('gives every scope one audience', () => {
    expect(IDENTITY_SCOPES).toEqual(['openid', 'profile', 'email']);
    expect(MEMBER_SCOPES).toEqual(['account:read', 'account:write']);
    expect(OPERATOR_SCOPES).toEqual(CONTRACT.slice(3, -2));
  });

  it.each(CONTRACT.filter((name) => name.includes(':')))('knows by the name whether %s reads or writes', (name) => {
    expect(isScope(name) && SCOPES[name].access).toBe(name.split(':')[1]);
  });

  it('describes each scope differently', () => {
    const words = SCOPE_NAMES.map((name) => SCOPES[name].words);
    expect(new Set(words).size).toBe(words.length);
    for (const sentence of words) expect(sentence).toMatch(/^[a-z].{8,}[^.]$/);
  });

  it('marks as sensitive what touches people, roles or money, or deletes, and no reading', () => {
    const touching = SCOPE_NAMES.filter((name) => SCOPES[name].weight === 'sensitive');
    expect(touching).toEqual(
      ['students', 'members', 'events', 'membership_plans', 'coupons', 'posts', 'subscriptions']
        .concat(['digital_products', 'lecturers', 'pages'])
        .map((resource) => `${resource}:write`),
    );
    for (const name of SCOPE_NAMES) {
      const { access, weight } = SCOPES[name];
      expect([name, access === 'read']).toEqual([name, weight === 'view']);
    }
  });

  it('advertises reading and identity scopes, but no writing or member scopes', () => {
    const expected = CONTRACT.filter((name) => !name.endsWith(':write') && !name.startsWith('account:'));
    expect([...ADVERTISED_RESOURCE_SCOPES]).toEqual(expected);
  });

  it('uses the characters that RFC 6749 §3.3 allows', () => {
    for (const name of SCOPE_NAMES) expect(name).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);
  });
});

describe('isScope', () => {
  it.each(['', 'courses', 'Courses:read', 'courses:read ', 'orders:write', 'toString', '__proto__', 'constructor'])(
    'does not know "%s"',
    (name) => {
      expect(isScope(name)).toBe(false);
    },
  );
});

it.each([
  ['courses:write', 'courses:read'],
  // The contract has no scope that reads files.
  ['storage:write', 'storage:write'],
])('finds what shows the changes of %s', (write, read) => expect(readScopeOf(write)).toBe(read));

describe('splitScope', () => {
  it.each([
    ['', []],
    [' ', []],
    ['openid', ['openid']],
    ['email openid', ['email', 'openid']],
    [' openid  email ', ['openid', 'email']],
    ['openid\temail', ['openid\temail']],
  ])('parses "%s"', (value, parts) => {
    expect(splitScope(value)).toEqual(parts);
  });
});
