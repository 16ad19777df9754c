import { MAX_BATCH_SIZE, MOST_WAIT, batchLoader } from './batch-loader.js';

function stage() {
  const batches: (readonly string[])[] = [];
  const loader = batchLoader<string, string>((keys) => {
    batches.push(keys);
    return Promise.resolve(keys.map((key) => (key === 'missing' ? undefined : `value of ${key}`)));
  });
  return { batches, loader };
}

describe('batchLoader', () => {
  it('loads the keys of one turn together and gives each call its own value', async () => {
    const { batches, loader } = stage();
    const values = await Promise.all([
      loader.load('a'),
      Promise.resolve().then(() => loader.load('b')),
      loader.load('missing'),
    ]);
    expect(values).toEqual(['value of a', 'value of b', undefined]);
    expect(batches).toHaveLength(1);
  });

  it('loads a key again for each call', async () => {
    const { batches, loader } = stage();
    await loader.load('a');
    await loader.load('a');
    expect(batches).toEqual([['a'], ['a']]);
  });

  it('splits keys into batches of the statement limit', async () => {
    const { batches, loader } = stage();
    await Promise.all(Array.from({ length: MAX_BATCH_SIZE + 1 }, (_, index) => loader.load(String(index))));
    expect(batches.map(({ length }) => length)).toEqual([MAX_BATCH_SIZE, 1]);
  });

  it('rejects every call of a batch that fails', async () => {
    const loader = batchLoader<string, string>(() => Promise.reject(new Error('no database')));
    const calls = await Promise.allSettled([loader.load('a'), loader.load('b')]);
    expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  describe('while a statement runs', () => {
    /** Statements that end when the test says so. */
    function held() {
      const batches: { readonly keys: readonly string[]; readonly end: () => void }[] = [];
      const loader = batchLoader<string, string>((keys) => {
        const { promise, resolve } = Promise.withResolvers<readonly string[]>();
        batches.push({ keys, end: () => resolve(keys) });
        return promise;
      });
      const turns = async (): Promise<void> => {
        for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      };
      return { batches, loader, turns, sent: () => batches.map(({ keys }) => keys) };
    }

    beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] }));
    afterEach(() => jest.useRealTimers());

    it('collects the keys of all turns until it ends', async () => {
      const { batches, loader, turns, sent } = held();
      const first = loader.load('a');
      await turns();
      const later = [loader.load('b')];
      await turns();
      later.push(loader.load('c'));
      await turns();
      expect(sent()).toEqual([['a']]);
      batches[0]?.end();
      await first;
      await turns();
      expect(sent()).toEqual([['a'], ['b', 'c']]);
      batches[1]?.end();
      expect(await Promise.all(later)).toEqual(['b', 'c']);
    });

    it('lets no key wait longer than the limit', async () => {
      const { batches, loader, turns, sent } = held();
      const first = loader.load('a');
      await turns();
      const second = loader.load('b');
      await turns();
      jest.advanceTimersByTime(MOST_WAIT - 1);
      expect(sent()).toEqual([['a']]);
      jest.advanceTimersByTime(1);
      await turns();
      expect(sent()).toEqual([['a'], ['b']]);
      batches[1]?.end();
      expect(await second).toBe('b');
      batches[0]?.end();
      expect(await first).toBe('a');
    });
  });
});
