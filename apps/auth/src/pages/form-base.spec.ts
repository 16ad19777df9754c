import { formBase, formChanges } from './form-base.js';

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
