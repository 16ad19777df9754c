import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { assertAccess } from './tool-access.policy.js';

const SITE = '018f3b1e-0000-7000-8000-000000000001';
const OTHER = '018f3b1e-0000-7000-8000-000000000009';

const holder = (audience: 'member' | 'operator', scopes: string[], site_id = SITE): Principal => ({
  person_id: '018f3b1e-0000-7000-8000-000000000002',
  member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  site_id,
  client_id: 'c',
  audience,
  scopes,
  roles: [audience === 'operator' ? 'owner' : 'student'],
  grant_id: 'g',
  token_fingerprint: '0123456789abcdef',
  expires_at: 2_000_000_000,
});

const everybody = { name: 'browse_course', audience: 'public', scopes: [] } as const;
const signedIn = { name: 'whoami', audience: 'public', scopes: ['openid'] } as const;
const member = { name: 'my_courses', audience: 'member', scopes: ['account:read'] } as const;
const operator = { name: 'enroll_student', audience: 'operator', scopes: ['students:write', 'courses:read'] } as const;

function end(tool: Parameters<typeof assertAccess>[0], principal: Principal | null): string {
  try {
    assertAccess(tool, { principal, site_id: SITE });
    return 'allowed';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

test.each([
  ['allows anyone to call a public tool', everybody, null, 'allowed'],
  ['allows members to call a public tool', everybody, holder('member', []), 'allowed'],
  ['allows operators to call a public tool', everybody, holder('operator', []), 'allowed'],
  ['forbids a public tool to a token of another site', everybody, holder('member', [], OTHER), 'forbidden'],
  ['requires a token for a public tool with a scope', signedIn, null, 'invalid_token'],
  ['accepts an operator at a public tool with a scope', signedIn, holder('operator', ['openid']), 'allowed'],
  ['requires the scope of a public tool', signedIn, holder('member', ['account:read']), 'insufficient_scope'],
  ['requires a token for a member tool', member, null, 'invalid_token'],
  ['allows members to call a member tool', member, holder('member', ['account:read']), 'allowed'],
  [
    'refuses operators at a member tool, with any scopes',
    member,
    holder('operator', ['account:read']),
    'insufficient_scope',
  ],
  ['requires the scope of a member tool', member, holder('member', ['openid']), 'insufficient_scope'],
  ['forbids a member tool to a token of another site', member, holder('member', ['account:read'], OTHER), 'forbidden'],
  ['requires all scopes of an operator tool', operator, holder('operator', ['students:write']), 'insufficient_scope'],
  [
    'accepts the scopes of an operator tool in any order',
    operator,
    holder('operator', ['courses:read', 'x', 'students:write']),
    'allowed',
  ],
  [
    'refuses members at an operator tool',
    operator,
    holder('member', ['courses:read', 'students:write']),
    'insufficient_scope',
  ],
] as const)('%s', (_rule, tool, principal, expected) => {
  expect(end(tool, principal)).toBe(expected);
});

test('names all scopes of the tool in a refusal', () => {
  expect.assertions(1);
  try {
    assertAccess(operator, { principal: null, site_id: SITE });
  } catch (error) {
    expect((error as ApiError).scopes).toEqual(['students:write', 'courses:read']);
  }
});

describe('a tool whose scopes depend on an argument', () => {
  const tool = {
    name: 'change_operation',
    audience: 'operator' as const,
    scopes: [],
    scopesByArgument: {
      argument: 'operation_id',
      scopes: { create_course: ['courses:write'] },
      hint: 'Find it with search_operations.',
    },
  };
  const refusal = (principal: Principal | null, args: unknown): Partial<ApiError> | undefined => {
    try {
      assertAccess(tool, { principal, site_id: SITE }, args);
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  };

  test('allows a call with the scopes of its arguments', () => {
    expect(refusal(holder('operator', ['courses:write']), { operation_id: 'create_course' })).toBeUndefined();
  });

  test('refuses a call without them, and names them', () => {
    expect(refusal(holder('operator', ['courses:read']), { operation_id: 'create_course' })).toMatchObject({
      code: 'insufficient_scope',
      scopes: ['courses:write'],
    });
  });

  test('never runs with an undeclared value, and gives a hint to the model', () => {
    for (const operation_id of ['drop_tables', '__proto__', 1, undefined]) {
      expect(refusal(holder('operator', []), { operation_id })).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer: '/operation_id' }],
        hint: 'Find it with search_operations.',
      });
    }
  });

  test('gives that hint only to permitted callers', () => {
    expect(refusal(null, { operation_id: 'x' })).toMatchObject({ code: 'invalid_token' });
    expect(refusal(holder('member', []), { operation_id: 'x' })).toMatchObject({ code: 'insufficient_scope' });
  });
});
