import { holdsScopesOfSomeCall, isUnknownChoice, scopesOfCall, toolAccess } from './tool-access.policy.js';

type Tool = Parameters<typeof toolAccess>[0];
type Caller = Parameters<typeof toolAccess>[1];

const OPEN = { audience: 'public', scopes: [] } as const;
const WHOAMI = { audience: 'public', scopes: ['openid'] };
const MEMBER = { audience: 'member', scopes: ['account:read', 'account:write'] };
const OPERATOR = { audience: 'operator', scopes: ['courses:read'] };
const UNSCOPED = { audience: 'operator', scopes: [] as string[] };

const anonymous = null;
const reader = { audience: 'member', scopes: ['openid', 'account:read'] } as const;
const member = { audience: 'member', scopes: ['account:write', 'account:read'] } as const;
const operator = { audience: 'operator', scopes: ['openid', 'courses:read'] } as const;
const odd = { audience: 'operator', scopes: ['account:read', 'account:write'] } as const;

describe('toolAccess', () => {
  it.each([
    ['a public tool', OPEN, 'an anonymous caller', anonymous, 'allowed'],
    ['a public tool', OPEN, 'a member', member, 'allowed'],
    ['whoami', WHOAMI, 'an anonymous caller', anonymous, 'sign_in'],
    ['whoami', WHOAMI, 'a member', reader, 'allowed'],
    ['whoami', WHOAMI, 'an operator', operator, 'allowed'],
    ['whoami', WHOAMI, 'a member without openid', member, 'insufficient_scope'],
    ['a member tool', MEMBER, 'an anonymous caller', anonymous, 'sign_in'],
    ['a member tool', MEMBER, 'a member with a part of the scopes', reader, 'insufficient_scope'],
    ['a member tool', MEMBER, 'a member with all scopes', member, 'allowed'],
    ['a member tool', MEMBER, 'an operator', operator, 'insufficient_scope'],
    ['a member tool', MEMBER, 'an operator with member scopes', odd, 'insufficient_scope'],
    ['an operator tool', OPERATOR, 'an anonymous caller', anonymous, 'sign_in'],
    ['an operator tool', OPERATOR, 'a member', member, 'insufficient_scope'],
    ['an operator tool', OPERATOR, 'an operator', operator, 'allowed'],
    ['an operator tool without scopes', UNSCOPED, 'an anonymous caller', anonymous, 'sign_in'],
    ['an operator tool without scopes', UNSCOPED, 'a member', member, 'insufficient_scope'],
  ])('decides on %s for %4$s', (_tool, tool, _caller, caller, access) => {
    expect(toolAccess(tool as Tool, caller as Caller)).toBe(access);
  });
});

describe('a tool whose scopes depend on an argument', () => {
  const tool = {
    scopes: ['openid'],
    scopesByArgument: {
      argument: 'operation_id',
      hint: 'Search first.',
      scopes: { list_courses: ['courses:read'], create_course: ['courses:write', 'openid'], toString: ['x'] },
    },
  };

  it.each([
    ['the scopes of the value beside its own', { operation_id: 'list_courses' }, ['openid', 'courses:read'], false],
    ['each once', { operation_id: 'create_course' }, ['openid', 'courses:write'], false],
    ['those of a value with an odd name', { operation_id: 'toString' }, ['openid', 'x'], false],
    ['its own for a value that is not known', { operation_id: 'drop_tables' }, ['openid'], true],
    ['its own for what every object inherits', { operation_id: 'constructor' }, ['openid'], true],
    ['its own for another spelling', { operation_id: ' list_courses' }, ['openid'], true],
    ['its own for a value that is no text', { operation_id: ['list_courses'] }, ['openid'], true],
    ['its own without the argument', {}, ['openid'], true],
    ['its own without arguments', undefined, ['openid'], true],
  ])('needs %s', (_what, args, scopes, unknown) => {
    expect(scopesOfCall(tool, args)).toEqual(scopes);
    expect(isUnknownChoice(tool, args)).toBe(unknown);
  });

  it.each([
    [['openid', 'courses:read'], true],
    [['openid', 'students:read'], false],
    [['courses:read'], false],
  ])('decides on a holder of %j: %p', (scopes, expected) => {
    expect(holdsScopesOfSomeCall(tool, { scopes })).toBe(expected);
  });
});

it('requires the declared scopes of a tool without a deciding argument', () => {
  expect(scopesOfCall({ scopes: ['a'] }, { operation_id: 'x' })).toEqual(['a']);
  expect(isUnknownChoice({ scopes: ['a'] }, {})).toBe(false);
  expect(holdsScopesOfSomeCall({ scopes: ['a'] }, { scopes: ['a'] })).toBe(true);
});
