import { bodyTag, expandedTag, isFresh, requireMatch, requireNoneMatch, requirePreconditions } from './etag.policy.js';
import { rowTag } from './etag.policy.js';

it.each([
  ['"3-42"', true],
  ['W/"3-42"', true],
  ['"1", "3-42"', true],
  ['*', true],
  ['"3-43"', false],
  ['3-42', false],
  ['', false],
  [undefined, false],
])('compares If-None-Match: %s', (header, fresh) => {
  expect(isFresh('"3-42"', header)).toBe(fresh);
});

it.each([
  ['"3-42"', true],
  ['"3-41"', true],
  ['"3"', true],
  ['"1", "3-0"', true],
  ['*', true],
  [undefined, true],
  ['"2-42"', false],
  ['"33"', false],
  ['W/"3-42"', false],
  ['3', false],
  ['', false],
])('compares If-Match: %s with version 3', (header, matches) => {
  const ask = (): void => requireMatch(3, header);
  if (matches) expect(ask).not.toThrow();
  else expect(ask).toThrow(expect.objectContaining({ code: 'precondition_failed' }));
});

it.each(['*', '"3"'])('refuses If-Match: %s without an object', (header) => {
  const refusal = expect.objectContaining({ code: 'precondition_failed', hint: expect.any(String) });
  expect(() => requireMatch(undefined, header)).toThrow(refusal);
  expect(() => requireMatch(undefined, undefined)).not.toThrow();
});

it.each([
  ['"2"', true],
  ['"33"', true],
  ['3', true],
  ['', true],
  [undefined, true],
  ['*', false],
  ['"3"', false],
  ['"3-42"', false],
  ['W/"3-42"', false],
  ['"1", *', false],
])('compares If-None-Match of a write: %s with version 3', (header, passes) => {
  const ask = (): void => requireNoneMatch(3, header);
  const refusal = expect.objectContaining({ code: 'precondition_failed', hint: expect.any(String) });
  if (passes) expect(ask).not.toThrow();
  else expect(ask).toThrow(refusal);
});

it.each(['*', '"3"'])('accepts If-None-Match: %s without an object', (header) => {
  expect(() => requireNoneMatch(undefined, header)).not.toThrow();
});

it.each([
  [{}, undefined],
  [{ ifMatch: '"3"', ifNoneMatch: '"2"' }, undefined],
  [{ ifMatch: '"2"', ifNoneMatch: '"2"' }, 'The object was modified since it was read'],
  [{ ifMatch: '"3"', ifNoneMatch: '"3"' }, 'The object exists'],
  [{ ifMatch: '"2"', ifNoneMatch: '*' }, 'The object was modified since it was read'],
])('checks the conditions %j of a write of version 3: %p', (conditions, message) => {
  const ask = (): void => requirePreconditions(3, conditions);
  if (message === undefined) expect(ask).not.toThrow();
  else expect(ask).toThrow(message);
});

it('makes a tag of an object with others beside it, which changes with them and matches the version', () => {
  const [tag, other] = [{ a: 1 }, { a: 2 }].map((body) => expandedTag(rowTag(3, 42), body));
  expect(tag).toMatch(/^"3-42-\d+"$/);
  expect(other).not.toBe(tag);
  expect(() => requireMatch(3, tag)).not.toThrow();
  expect(() => requireMatch(4, tag)).toThrow(expect.objectContaining({ code: 'precondition_failed' }));
});

it('makes tags that differ by version, counter and body', () => {
  expect(new Set([rowTag(1), rowTag(2), rowTag(1, 0), rowTag(1, 1), bodyTag('a'), bodyTag('b')]).size).toBe(6);
});
