import { JSON_TYPE, RESPONSE_TYPE, responseType, isJsonBody } from './media-types.policy.js';

describe('the media type of a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json;',
  ])('accepts %s as JSON', (type) => expect(isJsonBody(type)).toBe(true));

  it.each([
    undefined,
    '',
    'text/plain',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonx',
    'application/json; charset=latin1',
    'text/plain, application/json',
  ])('rejects %s as JSON', (type) => expect(isJsonBody(type)).toBe(false));
});

describe('the media type of a response', () => {
  it.each([
    [undefined, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [RESPONSE_TYPE, RESPONSE_TYPE],
    [`${RESPONSE_TYPE}, ${JSON_TYPE};q=0.9`, RESPONSE_TYPE],
    [`${JSON_TYPE};q=0.9, ${RESPONSE_TYPE}`, RESPONSE_TYPE],
    [`${RESPONSE_TYPE},${JSON_TYPE}`, RESPONSE_TYPE],
    [`${JSON_TYPE}, ${RESPONSE_TYPE}`, JSON_TYPE],
    [`${RESPONSE_TYPE};q=0.1, */*`, JSON_TYPE],
    [`text/html, ${RESPONSE_TYPE};q=0, */*;q=0.1`, JSON_TYPE],
    ['text/html', undefined],
    [`${JSON_TYPE};q=0`, undefined],
    ['', undefined],
  ])('chooses the response type for Accept: %s', (accept, expected) => {
    expect(responseType(accept)).toBe(expected);
  });
});
