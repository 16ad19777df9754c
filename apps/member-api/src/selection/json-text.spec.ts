import { JsonText, quote } from './json-text.js';

describe('a JSON text in SQL', () => {
  it('joins constants that stand together', () => {
    const json = new JsonText()
      .constant('{')
      .append(new JsonText().constant('"a":').expression('a'))
      .constant('}')
      .constant(']');
    expect(json.toSql()).toBe(`'{"a":' || (a) || '}]'`);
  });

  it('is empty text when there is nothing', () => {
    expect(new JsonText().toSql()).toBe("''");
  });

  it('doubles quotes in constants', () => {
    expect(quote(`it's`)).toBe(`'it''s'`);
  });
});
