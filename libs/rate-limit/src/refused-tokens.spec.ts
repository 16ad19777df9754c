import { ApiError } from '@lyceum/errors';
import { RefusedTokens } from './refused-tokens.js';

const LIMIT = { name: 'refused', hits: 3, windowSeconds: 60 };
const REFUSED = expect.objectContaining({ code: 'rate_limited' });
const [HERE, ELSEWHERE] = ['192.0.2.7', '192.0.2.8'];

/** Counts as the limiter of one replica does. */
function refusedTokens() {
  const spent = new Map<string, number>();
  const tokens = new RefusedTokens(
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
  return {
    /** Undefined for a token that was looked up and refused. */
    guess: (token: string, ip: string) => tokens.check(token, ip, () => Promise.resolve(undefined)),
    pass: (token: string, ip: string) => tokens.check(token, ip, () => Promise.resolve('valid')),
    fail: (error: unknown, ip: string) => tokens.check('guess', ip, () => Promise.reject(error as Error)),
  };
}

describe('RefusedTokens', () => {
  it('refuses the tokens of a source after as many refused ones as the limit', async () => {
    const { guess, pass } = refusedTokens();
    for (let count = 0; count < LIMIT.hits; count += 1) expect(await guess(`guess ${count}`, HERE)).toBeUndefined();
    await expect(pass('another', HERE)).rejects.toEqual(REFUSED);
    expect(await pass('another', ELSEWHERE)).toBe('valid');
  });

  it('counts look-ups that throw invalid_token, and no other errors', async () => {
    const { fail, pass } = refusedTokens();
    const [invalid, unavailable] = [
      new ApiError('invalid_token', 'Unknown'),
      new ApiError('temporarily_unavailable', 'Away', { retryAfter: 1 }),
    ];
    for (let count = 0; count < LIMIT.hits; count += 1) {
      await expect(fail(unavailable, HERE)).rejects.toBe(unavailable);
      await expect(fail(new Error('away'), HERE)).rejects.toThrow('away');
    }
    for (let count = 0; count < LIMIT.hits; count += 1) await expect(fail(invalid, HERE)).rejects.toBe(invalid);
    await expect(pass('another', HERE)).rejects.toEqual(REFUSED);
  });

  it('looks no token up after too many refused ones', async () => {
    const { guess, fail } = refusedTokens();
    for (let count = 0; count < LIMIT.hits; count += 1) await guess(`guess ${count}`, HERE);
    await expect(fail(new Error('looked up'), HERE)).rejects.toEqual(REFUSED);
  });

  it('counts the addresses of one IPv6 network together', async () => {
    const { guess } = refusedTokens();
    for (let count = 0; count < LIMIT.hits; count += 1) await guess('guess', `2001:db8:1:2::${count}`);
    await expect(guess('guess', '2001:db8:1:2::ffff')).rejects.toEqual(REFUSED);
  });

  it('passes a token that was valid before, and forgets the oldest of 50,001', async () => {
    const { guess, pass } = refusedTokens();
    await pass('oldest', HERE);
    for (let count = 1; count < 50_000; count += 1) await pass(`token ${count}`, HERE);
    for (let count = 0; count < LIMIT.hits; count += 1) await guess('guess', HERE);
    expect(await pass('oldest', HERE)).toBe('valid');
    await pass('newest', ELSEWHERE);
    await expect(pass('oldest', HERE)).rejects.toEqual(REFUSED);
    expect(await pass('token 1', HERE)).toBe('valid');
    expect(await pass('newest', HERE)).toBe('valid');
  });
});
