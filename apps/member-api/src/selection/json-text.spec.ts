import { JsonText, quote } from './json-text.js';

describe('a JSON text in SQL', () => {
  it('joins adjacent constants of a JSON text', () => {
    const json = new JsonText()
      .constant('{')
      .append(new JsonText().constant('"a":').expression('a'))
      .constant('}')
      .constant(']');
    expect(json.toSql()).toBe(`'{"a":' || (a) || '}]'`);
  });

  it('returns an empty text without parts', () => {
    expect(new JsonText().toSql()).toBe("''");
  });

  it('doubles quotes in constants of a JSON text', () => {
    expect(quote(`it's`)).toBe(`'it''s'`);
  });
});
