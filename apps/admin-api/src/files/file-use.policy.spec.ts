import { faultOf } from './file-use.policy.js';
import type { RefusedUse } from './file-use.policy.js';

const refused: RefusedUse = {
  file_id: '019ab3c0-de90-7a01-9c3d-4e5f60718293',
  pointer: '/logo_file_id',
  purpose: 'logo',
  known: true,
  state: 'ready',
  found_purpose: 'logo',
  content_type: 'text/csv',
};

it.each<[string, Partial<RefusedUse>, string, RegExp]>([
  ['unknown', { known: false }, 'not_found', /no file of this site/],
  ['not ready', { state: 'pending' }, 'invalid_value', /is pending/],
  ['for another purpose', { found_purpose: 'image' }, 'invalid_value', /purpose image, and needs logo/],
  ['of another type', { types: ['video/mp4', 'video/webm'] }, 'invalid_value', /needs video\/mp4 or video\/webm/],
])('says that a file is %s', (_name, more, code, detail) => {
  const fault = { pointer: '/logo_file_id', code, detail: expect.stringMatching(detail) };
  expect(faultOf({ ...refused, ...more })).toEqual(fault);
});
