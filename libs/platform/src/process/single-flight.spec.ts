import { SingleFlight } from './single-flight.js';

function stage() {
  const flight = new SingleFlight<string>();
  const ends: ((result: string | Error) => void)[] = [];
  const run = (key: string): Promise<string> =>
    flight.run(
      key,
      () =>
        new Promise((resolve, reject) => {
          ends.push((result) => (result instanceof Error ? reject(result) : resolve(result)));
        }),
    );
  return { flight, ends, run };
}

describe('SingleFlight', () => {
  it('shares work of one key while it is under way, and starts again afterwards', async () => {
    const { flight, ends, run } = stage();
    const calls = [run('key'), run('key')];
    expect([ends.length, flight.size]).toEqual([1, 1]);
    ends[0]!('first');
    expect(await Promise.all(calls)).toEqual(['first', 'first']);
    expect(flight.size).toBe(0);
    const later = run('key');
    ends[1]!('second');
    expect(await later).toBe('second');
  });

  it('does not share work of another key', () => {
    const { ends, run } = stage();
    void run('one');
    void run('two');
    expect(ends).toHaveLength(2);
  });

  it('shares a failure and does not keep it', async () => {
    const { ends, run } = stage();
    const calls = Promise.allSettled([run('key'), run('key')]);
    ends[0]!(new Error('no answer'));
    expect((await calls).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const later = run('key');
    ends[1]!('result');
    expect(await later).toBe('result');
  });

  it('starts its own work after forget, and still shares that when the earlier work ends', async () => {
    const { flight, ends, run } = stage();
    const earlier = run('key');
    flight.forget();
    const later = run('key');
    ends[0]!('earlier');
    expect(await earlier).toBe('earlier');
    void run('key');
    expect(ends).toHaveLength(2);
    ends[1]!('later');
    expect(await later).toBe('later');
  });
});
