import { instantColumns } from '@lyceum/testing';

it('keeps every instant in milliseconds', async () => {
  const types = Object.values(await instantColumns('learner'));
  expect(types.length).toBeGreaterThan(10);
  expect(types.filter((type) => type !== 'timestamptz(3)')).toEqual([]);
});
