import { entityId, entityIdOf } from './entity-id.js';

const UUID = '0198a1b2-0000-7000-8000-00000000abcd';

it('returns a UUID in lower case', () => {
  expect([entityId(UUID.toUpperCase()), entityIdOf('Post')(UUID.toUpperCase())]).toEqual([UUID, UUID]);
});

it('accepts the id of the member API for an object of its type alone', () => {
  expect(entityIdOf('Post')(`pst_${UUID}`)).toBe(UUID);
  for (const refuse of [() => entityId(`pst_${UUID}`), () => entityIdOf('EnrolledCourse')(`pst_${UUID}`)])
    expect(refuse).toThrow(expect.objectContaining({ code: 'not_found' }) as Error);
});

it.each(['', 'pst_', `pst_${UUID}0`, `pst_pst_${UUID}`])('returns not_found for %p', (id) => {
  expect(() => entityIdOf('Post')(id)).toThrow(expect.objectContaining({ code: 'not_found' }) as Error);
});
