import { RawJson, stringifyResult } from './raw-json.js';

const raw = (text: string) => ({ data: new RawJson(text) as unknown as Record<string, unknown> });

describe('an answer', () => {
  it('has the text of PostgreSQL in it as it stands', () => {
    expect(stringifyResult(raw('{"a":1.0,"a":2}'))).toBe('{"data":{"a":1.0,"a":2}}');
    expect(stringifyResult({ ...raw('{}'), extensions: { cost: 1 } })).toBe('{"data":{},"extensions":{"cost":1}}');
  });

  it('is written as usual where a resolver made it', () => {
    expect(stringifyResult({ data: { a: null }, errors: [{ message: 'no' }] })).toBe(
      '{"data":{"a":null},"errors":[{"message":"no"}]}',
    );
  });
});
