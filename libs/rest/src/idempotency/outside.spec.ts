import { hasStepped, outside, withStep } from './outside.js';

describe('outside', () => {
  it('runs the step once after the work has ended, and the work again with its result', async () => {
    const done: string[] = [];
    const result = await withStep(async () => {
      done.push('begin');
      try {
        const value = await outside(async () => {
          done.push('step');
          return 7;
        });
        done.push('write');
        return value;
      } finally {
        done.push('end');
      }
    });
    expect(result).toBe(7);
    expect(done).toEqual(['begin', 'end', 'step', 'begin', 'write', 'end']);
  });

  it('throws the error of the step within the second run', async () => {
    let caught = 0;
    const work = withStep(async () => {
      try {
        return await outside(() => Promise.reject(new TypeError('no store')));
      } catch (error) {
        if (error instanceof TypeError) caught += 1;
        throw error;
      }
    });
    await expect(work).rejects.toThrow('no store');
    expect(caught).toBe(1);
  });

  it('runs the step and the work after it within another function, and tells the work that it has run', async () => {
    const done: unknown[] = [];
    await withStep(
      async () => {
        done.push(hasStepped());
        await outside(async () => done.push('step'));
      },
      async (rest) => {
        done.push('around');
        await rest();
        done.push('after');
      },
    );
    expect(done).toEqual([false, 'around', 'step', true, 'after']);
    expect(hasStepped()).toBe(false);
  });

  it('keeps the steps of two writes at one time apart', async () => {
    const write = (value: number) => withStep(() => outside(() => Promise.resolve(value)));
    expect(await Promise.all([write(1), write(2)])).toEqual([1, 2]);
  });

  it('runs the step at once where no write runs', async () => {
    expect(await outside(() => Promise.resolve('now'))).toBe('now');
  });

  it('leaves work without a step and its errors as they are', async () => {
    expect(await withStep(() => Promise.resolve('done'))).toBe('done');
    await expect(withStep(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });
});
