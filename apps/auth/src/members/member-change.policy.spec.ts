import type { MemberState, Role } from '@lyceum/contracts';
import { checkChange, requireOperator } from './member-change.policy.js';
import type { MemberChange } from './member-change.policy.js';

const party = (member_id: string, role: Role, state: MemberState = 'active') => ({ member_id, roles: [role], state });
const CHANGES: readonly MemberChange[] = ['profile', 'roles', 'suspend', 'reinstate', 'remove'];

/** Returns the code of the refusal, or `allowed`. */
function codeOf(work: () => unknown): string {
  try {
    work();
    return 'allowed';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

it.each<[Role, MemberState, string]>([
  ['owner', 'active', 'allowed'],
  ['admin', 'active', 'allowed'],
  ['admin', 'invited', 'allowed'],
  ['owner', 'suspended', 'forbidden'],
  ['admin', 'removed', 'forbidden'],
  ['lecturer', 'active', 'forbidden'],
  ['teaching_assistant', 'active', 'forbidden'],
  ['student', 'active', 'forbidden'],
])('decides whether an %s who is %s may change members: %s', (role, state, expected) => {
  expect(codeOf(() => requireOperator(party('a', role, state)))).toBe(expected);
  expect(codeOf(() => checkChange('profile', party('a', role, state), party('b', 'student')))).toBe(expected);
});

it('refuses an actor without a membership', () => {
  expect(codeOf(() => requireOperator(undefined))).toBe('forbidden');
});

it.each(CHANGES)('lets an owner and no admin change an owner: %s', (change) => {
  const target = party('b', 'owner');
  expect(codeOf(() => checkChange(change, party('a', 'admin'), target))).toBe('forbidden');
  expect(codeOf(() => checkChange(change, party('a', 'owner'), target))).toBe('allowed');
});

it.each<[MemberChange, string]>([
  ['profile', 'allowed'],
  ['roles', 'forbidden'],
  ['resend', 'forbidden'],
  ['suspend', 'forbidden'],
  ['reinstate', 'forbidden'],
  ['remove', 'forbidden'],
])('decides whether members may change themselves: %s is %s', (change, expected) => {
  expect(codeOf(() => checkChange(change, party('a', 'owner'), party('a', 'owner')))).toBe(expected);
});

it.each<[MemberChange, readonly MemberState[]]>([
  ['profile', ['invited', 'active', 'suspended']],
  ['roles', ['invited', 'active', 'suspended']],
  ['resend', ['invited']],
  ['suspend', ['active', 'suspended']],
  ['reinstate', ['active', 'suspended']],
  ['remove', ['invited', 'active', 'suspended', 'removed']],
])('allows %s in the states %p only', (change, states) => {
  for (const state of ['invited', 'active', 'suspended', 'removed'] as const) {
    const expected = states.includes(state) ? 'allowed' : 'invalid_state';
    expect([state, codeOf(() => checkChange(change, party('a', 'admin'), party('b', 'student', state)))]).toEqual([
      state,
      expected,
    ]);
  }
});
