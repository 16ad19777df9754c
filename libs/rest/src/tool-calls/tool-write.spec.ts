import { ApiError, errorOr } from '@lyceum/errors';
import { parseIdempotencyKey } from '../idempotency/write-request.js';
import { toolWriteOf } from './tool-write.js';

const DECLARATION = { tool: 'create_course', scopes: ['courses:write'] };
const WITH_SPACE = 'my key';

it.each<[string, () => unknown, object]>([
  [
    'its argument',
    () =>
      toolWriteOf(DECLARATION, { input: { idempotency_key: WITH_SPACE, dry_run: false }, idempotencyKey: undefined }),
    { pointer: '/idempotency_key' },
  ],
  ['its header', () => parseIdempotencyKey(WITH_SPACE), { parameter: 'Idempotency-Key' }],
])('refuses an idempotency key with a space, and names %s', (_what, work, place) => {
  const refused = errorOr(work);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ code: 'invalid_request', errors: [{ ...place, code: 'invalid_format' }] });
});
