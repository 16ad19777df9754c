import { prefixOf, typeOfId, uuidOfId } from './global-id.js';

const UUID = '0198a1b2-0000-7000-8000-00000000abcd';

it.each([
  [`enr_${UUID}`, 'EnrolledCourse'],
  [`ntf_${UUID}`, 'Notification'],
  [UUID, 'Viewer'],
  ['org_01h455vb4pex5vsknk084sn02q', 'ViewerSchool'],
  [`xyz_${UUID}`, undefined],
  [`enr_${UUID}0`, undefined],
  [`ENR_${UUID}`, undefined],
  [`enr_${UUID.toUpperCase()}`, undefined],
  ['enr_', undefined],
  ['org_\u0000', undefined],
  ['', undefined],
  [null, undefined],
])('reads %p as an id of %p', (id, type) => {
  expect(typeOfId(id)).toBe(type);
});

it('returns the UUID of an id of the type, and of no other type', () => {
  const id = `${prefixOf('Post')}${UUID}`;
  expect(uuidOfId('Post', id)).toBe(UUID);
  expect(uuidOfId('Notification', id)).toBeUndefined();
  expect(uuidOfId('Post', UUID)).toBeUndefined();
});
