import assert from 'node:assert/strict';
import { API_ERROR_CODES } from '@lyceum/errors';
import type { ReceivedResponse } from '@lyceum/testing';

/** RFC 9457, with the request id that the header has. No request of a caller ends in a 5xx. */
export function assertProblem({ status, headers, body }: ReceivedResponse): void {
  if (status < 400) return assertWords(textsOfResults(body));
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/);
  assert.equal(body['status'], status);
  assert.equal(body['request_id'], headers['x-request-id']);
  assert((API_ERROR_CODES as readonly unknown[]).includes(body['code']), `${String(body['code'])} is no code`);
  assert(status < 500, `${status}: ${JSON.stringify(body)}`);
  assertWords(textsOf(body));
}

/** A text for people begins with no words of the validator. */
export function assertWords(texts: readonly string[]): void {
  for (const text of texts) {
    assert.doesNotMatch(text, /^(?:\S+: )?(?:invalid|too (?:big|small)|expected|unrecognized)\b/i);
    assert(text.trim() !== '', 'An error has no words');
  }
}

/** Items of a bulk request are refused in a response of success. */
function textsOfResults({ results }: ReceivedResponse['body']): string[] {
  return Array.isArray(results) ? results.flatMap((result: ReceivedResponse['body']) => textsOf(result).slice(1)) : [];
}

function textsOf({ detail, errors = [] }: ReceivedResponse['body']): string[] {
  return [detail, ...(errors as { readonly detail: unknown }[]).map((error) => error.detail)].map(String);
}
