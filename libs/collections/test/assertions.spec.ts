import { assert, asserting } from '../conventions/assertions.js';

it('fails a check that asserts nothing', async () => {
  const empty = asserting({ name: 'lists nothing', run: () => Promise.resolve() });
  await expect(empty.run()).rejects.toThrow('lists nothing: the check asserts nothing');
});

it.each<[string, () => void]>([
  ['assert', () => assert(true)],
  ['a method of assert', () => assert.equal(1, 1)],
])('passes a check that calls %s', async (_what, assertion) => {
  await expect(asserting({ name: 'one', run: async () => assertion() }).run()).resolves.toBeUndefined();
});

it('fails a check whose assertion fails', async () => {
  const broken = asserting({ name: 'one', run: async () => assert.equal(1, 2) });
  await expect(broken.run()).rejects.toThrow('1 !== 2');
});
