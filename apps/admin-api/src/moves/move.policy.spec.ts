import { allowedMove } from './move.policy.js';
import type { Moves } from './move.policy.js';

type State = 'planned' | 'open' | 'over' | 'closed';
const MOVES = {
  open: { from: ['planned', 'closed'], to: 'open', later: ['over'], event: 'opened' },
  close: { from: ['open'], to: 'closed', event: 'closed' },
} as const satisfies Moves<State>;
type Name = keyof typeof MOVES;

it.each<[State, Name]>([
  ['planned', 'open'],
  ['closed', 'open'],
  ['open', 'close'],
])('returns the move of an object that is %s by %s', (state, name) => {
  expect(allowedMove('An office', MOVES, state, name)).toBe(MOVES[name]);
});

it.each<[State, Name]>([
  ['open', 'open'],
  ['over', 'open'],
  ['closed', 'close'],
])('changes nothing of an object that is %s by %s, because it was moved before', (state, name) => {
  expect(allowedMove('An office', MOVES, state, name)).toBeUndefined();
});

it.each<[State, string]>([
  ['planned', 'An office that is planned cannot be changed by close'],
  ['over', 'An office that is over cannot be changed by close'],
])('refuses to move an object that is %s from a state that the move does not lead from', (state, message) => {
  const refusal = { code: 'invalid_state', message, errors: [], hint: 'close works from: open' };
  expect(() => allowedMove('An office', MOVES, state, 'close')).toThrow(expect.objectContaining(refusal));
});

it('names all states that a move leads from', () => {
  const moves = { reopen: { from: ['planned', 'closed'], to: 'open', event: 'opened' } } as const;
  expect(() => allowedMove<State, 'reopen', typeof moves>('An office', moves, 'over', 'reopen')).toThrow(
    expect.objectContaining({ hint: 'reopen works from: planned, closed' }),
  );
});
