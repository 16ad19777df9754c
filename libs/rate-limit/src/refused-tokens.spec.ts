import { ApiError } from '@lyceum/errors';
import { RefusedTokens } from './refused-tokens.js';

const LIMIT = { name: 'refused', hits: 3, windowSeconds: 60 };
const REFUSED = expect.objectContaining({ code: 'rate_limited' });
const [HERE, ELSEWHERE] = ['192.0.2.7', '192.0.2.8'];

/** Counts as the limiter of one replica does. */
function refusedTokens(): RefusedTokens {
  const spent = new Map<string, number>();
  return new RefusedTokens(
    {
      refuseExhausted: ({ hits }, subject) => {
        if ((spent.get(subject) ?? 0) >= hits) throw new ApiError('rate_limited', 'Too many', { retryAfter: 60 });
      },
      secondsToWait: (_limit, subject) => {
        spent.set(subject, (spent.get(subject) ?? 0) + 1);
        return Promise.resolve(undefined);
      },
    },
    LIMIT,
  );
}

describe('RefusedTokens', () => {
  it('refuses the tokens of a source after as many refused ones as the limit', async () => {
    const tokens = refusedTokens();
    for (let count = 0; count < LIMIT.hits; count += 1) {
      expect(() => tokens.refuseGuess(`guess ${count}`, HERE)).not.toThrow();
      await tokens.count(HERE);
    }
    expect(() => tokens.refuseGuess('another', HERE)).toThrow(REFUSED);
    expect(() => tokens.refuseGuess('another', ELSEWHERE)).not.toThrow();
  });

  it('counts the addresses of one IPv6 network together', async () => {
    const tokens = refusedTokens();
    for (let count = 0; count < LIMIT.hits; count += 1) await tokens.count(`2001:db8:1:2::${count}`);
    expect(() => tokens.refuseGuess('guess', '2001:db8:1:2::ffff')).toThrow(REFUSED);
  });

  it('passes a token that was valid before, and forgets the oldest of 50,001', async () => {
    const tokens = refusedTokens();
    tokens.remember('oldest');
    for (let count = 1; count < 50_000; count += 1) tokens.remember(`token ${count}`);
    for (let count = 0; count < LIMIT.hits; count += 1) await tokens.count(HERE);
    expect(() => tokens.refuseGuess('oldest', HERE)).not.toThrow();
    tokens.remember('newest');
    expect(() => tokens.refuseGuess('oldest', HERE)).toThrow(REFUSED);
    expect(() => tokens.refuseGuess('token 1', HERE)).not.toThrow();
    expect(() => tokens.refuseGuess('newest', HERE)).not.toThrow();
  });
});
