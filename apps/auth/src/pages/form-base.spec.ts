import { formBase, formChanges, requireUnchanged } from './form-base.js';

const shown = { name: 'Notes', uris: ['a', 'b'], open: false };
const base = formBase(shown, ['name', 'uris', 'open']);
const stale: unknown = expect.objectContaining({ code: 'precondition_failed' });

describe('The changes of a form', () => {
  it('leaves out fields that the form shows unchanged, also when they are stored otherwise now', () => {
    const current = { name: 'Notes', uris: ['b'], open: true };
    expect(formChanges(base, { ...shown, name: 'Letters' }, current)).toEqual({ name: 'Letters' });
    expect(formChanges(base, { ...shown, uris: ['b', 'a'] }, current)).toEqual({});
  });

  it('leaves out a value that is stored already', () => {
    expect(formChanges(base, { ...shown, uris: ['c', 'b'] }, { ...shown, uris: ['b', 'c'] })).toEqual({});
  });

  it('refuses a field that was changed to another value since', () => {
    let error: unknown;
    try {
      formChanges(base, { ...shown, uris: ['a', 'b', 'c'] }, { ...shown, uris: ['b'] });
    } catch (caught) {
      error = caught;
    }
    expect(error).toEqual(stale);
  });

  it.each([undefined, '', 'name', formBase(shown, ['name', 'uris'])])('refuses the incomplete base %p', (given) => {
    let error: unknown;
    try {
      formChanges(given, shown, shown);
    } catch (caught) {
      error = caught;
    }
    expect(error).toEqual(stale);
  });
});

describe('A form that decides about values', () => {
  const failure = (given: string | undefined, current: typeof shown): unknown => {
    try {
      requireUnchanged(given, current, ['name', 'uris']);
    } catch (caught) {
      return caught;
    }
    return undefined;
  };

  it('accepts the values that it shows, in any order, and ignores the others', () => {
    expect(failure(base, { name: 'Notes', uris: ['b', 'a'], open: true })).toBeUndefined();
  });

  it.each([
    { name: 'Letters', uris: ['a', 'b'] },
    { name: 'Notes', uris: ['a'] },
    { name: 'Notes', uris: ['a', 'b', 'c'] },
  ])('refuses the other values %p', (values) => {
    expect(failure(base, { ...values, open: false })).toEqual(stale);
  });

  it.each([undefined, '', 'name', formBase(shown, ['name'])])('refuses the incomplete base %p', (given) => {
    expect(failure(given, shown)).toEqual(stale);
  });
});
