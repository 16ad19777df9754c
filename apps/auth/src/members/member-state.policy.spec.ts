import { stateWithRoles } from './member-state.policy.js';

describe('The state of a membership', () => {
  it.each([
    ['removed', ['student'], 'invited', 'invited'],
    ['removed', ['student'], 'active', 'active'],
    ['removed', [], 'active', 'removed'],
    ['invited', ['owner'], 'active', 'invited'],
    ['active', ['owner'], 'invited', 'active'],
    ['suspended', ['owner', 'student'], 'active', 'suspended'],
    ['suspended', [], 'active', 'removed'],
    ['active', [], 'active', 'removed'],
  ] as const)('changes the state %s with roles %p, joining as %s, to %s', (state, roles, joins, next) => {
    expect(stateWithRoles(state, roles, joins)).toBe(next);
  });
});
