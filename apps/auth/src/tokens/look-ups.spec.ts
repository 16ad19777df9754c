import { LookUps, MOST_KEYS } from './look-ups.js';

/** Look-ups that end when the test says so. */
function stage() {
  const asked: (readonly string[])[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const lookUps = new LookUps<string, string>((keys) => {
    asked.push(keys);
    return new Promise((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve(new Map(keys.map((key) => [key, `value of ${key}`])))));
    });
  });
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
  return { asked, ends, lookUps, turn };
}

describe('Look-ups', () => {
  it('of one turn are one, each key once, and each call gets its own', async () => {
    const { asked, ends, lookUps, turn } = stage();
    const calls = Promise.all(['a', 'b', 'a'].map((key) => lookUps.of(key)));
    await turn();
    expect(asked).toEqual([['a', 'b']]);
    ends[0]!();
    await expect(calls).resolves.toEqual(['value of a', 'value of b', 'value of a']);
  });

  it('that come while one is under way go together as the next: none is answered by what began before it', async () => {
    const { asked, ends, lookUps, turn } = stage();
    void lookUps.of('a');
    await turn();
    const later = [lookUps.of('a'), lookUps.of('b')];
    await turn();
    expect(asked).toEqual([['a']]);
    ends[0]!();
    await turn();
    expect(asked).toEqual([['a'], ['a', 'b']]);
    ends[1]!();
    await expect(Promise.all(later)).resolves.toEqual(['value of a', 'value of b']);
  });

  it('are at most so many at once; the rest goes next', async () => {
    const { asked, ends, lookUps, turn } = stage();
    const calls = Promise.all(Array.from({ length: MOST_KEYS + 1 }, (_, index) => lookUps.of(String(index))));
    await turn();
    ends[0]!();
    await turn();
    ends[1]!();
    expect(asked.map(({ length }) => length)).toEqual([MOST_KEYS, 1]);
    expect(new Set(await calls).size).toBe(MOST_KEYS + 1);
  });

  it('that fail fail for all who asked, and the next one goes on', async () => {
    const { ends, lookUps, turn } = stage();
    const calls = Promise.allSettled([lookUps.of('a'), lookUps.of('b')]);
    await turn();
    ends[0]!(new Error('no database'));
    expect((await calls).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = lookUps.of('a');
    await turn();
    ends[1]!();
    await expect(next).resolves.toBe('value of a');
  });

  it('that hang do not hold up the next one', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { asked, lookUps, turn } = stage();
      void lookUps.of('a');
      await turn();
      void lookUps.of('b');
      await turn();
      expect(asked).toEqual([['a']]);
      jest.runAllTimers();
      await turn();
      expect(asked).toEqual([['a'], ['b']]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('find nothing for a key that is not there', async () => {
    await expect(new LookUps(() => Promise.resolve(new Map())).of('a')).resolves.toBeUndefined();
  });
});
