import { API_ERROR_CODES, ApiError } from '@lyceum/errors';
import { storedErrorOf } from './stored-response.js';

it('stores the refusals that depend on the state of objects alone', () => {
  const stored = API_ERROR_CODES.filter((code) => storedErrorOf(new ApiError(code, 'Refused')) !== undefined);
  expect(stored).toEqual([
    'not_found',
    'already_exists',
    'invalid_state',
    'resource_in_use',
    'quota_exceeded',
    'precondition_failed',
  ]);
  expect(storedErrorOf(new Error('fault'))).toBeUndefined();
});
