import assert from 'node:assert/strict';
import { API_ERROR_CODES } from '@lyceum/errors';
import type { ReceivedResponse } from '@lyceum/testing';

/** RFC 9457, with the request id that the header has. No request of a caller ends in a 5xx. */
export function assertProblem({ status, headers, body }: ReceivedResponse): void {
  if (status < 400) return;
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/);
  assert.equal(body['status'], status);
  assert.equal(body['request_id'], headers['x-request-id']);
  assert((API_ERROR_CODES as readonly unknown[]).includes(body['code']), `${String(body['code'])} is no code`);
  assert(status < 500, `${status}: ${JSON.stringify(body)}`);
}
