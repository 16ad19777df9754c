import { acceptRequestId } from './request-context.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

describe('acceptRequestId', () => {
  it.each(['a', 'caller-7/x', 'Root=1-67891233-abcdef012345678912345678', '~'.repeat(128)])('keeps %s', (id) => {
    expect(acceptRequestId(id)).toBe(id);
  });

  it.each([
    ['nothing', undefined],
    ['an empty id', ''],
    ['129 characters', 'x'.repeat(129)],
    ['a space', 'a b'],
    ['a line break', 'a\nb'],
    ['markup', '<b>'],
    ['a quote', "'"],
    ['a letter beyond ASCII', 'é'],
    ['two headers', ['a', 'b']],
  ])('replaces %s by a new id', (_case, given) => {
    expect(acceptRequestId(given)).toMatch(UUID);
  });
});
