import { ApiError } from '@lyceum/errors';
import { encodeReply, refusal } from './reply.js';

const text = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

test('sends a reply that just fits unchanged, and replaces one that is a byte larger', () => {
  const reply = { ok: true as const, result: 'é'.repeat(100) };
  const size = Buffer.byteLength(JSON.stringify(reply));
  const fits = encodeReply(reply, size);
  expect(text(fits.bytes)).toEqual(reply);
  expect(fits).toMatchObject({ outcome: 'ok' });
  const tooLarge = encodeReply(reply, size - 1);
  expect(tooLarge.outcome).toBe('payload_too_large');
  expect(text(tooLarge.bytes)).toMatchObject({ ok: false, error: { code: 'payload_too_large' } });
});

test('replaces a result that is not JSON by an internal error', () => {
  const reply = encodeReply({ ok: true, result: 1n }, 1_000);
  expect(reply.outcome).toBe('internal');
  expect(reply.fault).toBeInstanceOf(TypeError);
});

test('serializes an API error with its errors and hint, without its cause', () => {
  const errors = [{ pointer: '/a', code: 'required', detail: 'c' }] as const;
  const apiError = new ApiError('not_found', 'Nothing.', { errors, hint: 'Look.', cause: new Error('secret') });
  expect(refusal(apiError)).toEqual({
    ok: false,
    error: { code: 'not_found', detail: 'Nothing.', errors, hint: 'Look.' },
  });
  expect(refusal(new ApiError('rate_limited', 'Later.', { retryAfter: 9 }))).toEqual({
    ok: false,
    error: { code: 'rate_limited', detail: 'Later.', retry_after: 9 },
  });
  expect(refusal(new ApiError('forbidden', 'No.'))).toEqual({ ok: false, error: { code: 'forbidden', detail: 'No.' } });
});
