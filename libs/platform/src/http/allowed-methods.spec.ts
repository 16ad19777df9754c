import { AllowedMethods } from './allowed-methods.js';

describe('AllowedMethods', () => {
  const allowed = new AllowedMethods();
  allowed.add('POST', '/courses');
  allowed.add('GET', '/courses');
  allowed.add('GET', '/courses');
  allowed.add('PATCH', '/courses/:id');
  allowed.add('GET', '/files/*');

  it('returns the methods of a path in alphabetical order', () => {
    expect(allowed.of('/courses')).toEqual(['GET', 'POST']);
  });

  it('matches patterns as the router does', () => {
    expect(allowed.of('/courses/7')).toEqual(['PATCH']);
    expect(allowed.of('/files/a/b')).toEqual(['GET']);
  });

  it('returns no method for an unknown or malformed path', () => {
    expect(allowed.of('/nothing')).toEqual([]);
    expect(allowed.of('/courses/7/parts')).toEqual([]);
    expect(allowed.of('/courses/%zz')).toEqual([]);
  });
});
