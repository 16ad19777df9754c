import { MAX_BATCH_SIZE, batchLoader } from './batch-loader.js';

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
});
