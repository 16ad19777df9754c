import { z } from 'zod';
import { GLOBAL_ID_PREFIXES, SHARED_TYPES, isSharedIdPattern, sharedId } from './global-ids.js';

const UUID = '0198a1b2-0000-7000-8000-00000000abcd';
const schema = sharedId('EnrolledCourse', 'Post');

it.each([UUID, UUID.toUpperCase(), `enr_${UUID}`, `pst_${UUID}`])('reads %s as the UUID', (id) => {
  expect(schema.parse(id)).toBe(UUID);
});

it.each([
  '',
  'enr_',
  'enr_1',
  `ntf_${UUID}`,
  `ENR_${UUID}`,
  `enr_enr_${UUID}`,
  `enr_${UUID}0`,
  ` ${UUID}`,
  `${UUID}\n`,
  7,
])('refuses %p', (id) => {
  expect(schema.safeParse(id).success).toBe(false);
});

it('describes both forms by its pattern', () => {
  const { pattern } = z.toJSONSchema(schema, { io: 'input' });
  const accepts = (id: string): boolean => new RegExp(pattern ?? '^$').test(id);
  expect([pattern, '^a$', undefined].map(isSharedIdPattern)).toEqual([true, false, false]);
  expect([UUID, `enr_${UUID}`, `reg_${UUID}`].map(accepts)).toEqual([true, true, false]);
});

it('keeps a prefix for each type alone', () => {
  const prefixes = Object.values(GLOBAL_ID_PREFIXES);
  expect(new Set(prefixes).size).toBe(prefixes.length);
  expect(SHARED_TYPES.every((type) => type in GLOBAL_ID_PREFIXES)).toBe(true);
});
