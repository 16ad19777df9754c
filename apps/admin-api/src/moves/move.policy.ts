import { ApiError } from '@lyceum/errors';

/** A change of the state of an object, as an action makes it. */
export interface Move<State extends string> {
  /** States that the move leads from. */
  readonly from: readonly State[];
  readonly to: State;
  /** States that follow `to` with time. An object that has one of them was moved before. */
  readonly later?: readonly State[];
  readonly event: string;
}

/** The moves of objects of one kind, by the name of the action. */
export type Moves<State extends string> = Readonly<Record<string, Move<State>>>;

/**
 * Returns the move that an action makes; undefined for an object that was moved before.
 *
 * @param object its kind with an article, as in `An event`
 * @throws `invalid_state` for a state that the move does not lead from
 */
export function allowedMove<State extends string, Name extends string, Of extends Readonly<Record<Name, Move<State>>>>(
  object: string,
  moves: Of,
  state: State,
  name: Name,
): Of[Name] | undefined {
  const move = moves[name];
  if (move.to === state || move.later?.includes(state) === true) return undefined;
  if (move.from.includes(state)) return move;
  throw new ApiError('invalid_state', `${object} that is ${state} cannot be changed by ${name}`, {
    hint: `${name} works from: ${move.from.join(', ')}`,
  });
}
