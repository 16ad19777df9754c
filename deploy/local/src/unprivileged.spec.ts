import { unprivileged } from './unprivileged.js';

type Prefix = readonly string[];
const namespaces = (prefix: Prefix): boolean => prefix[0] === 'unshare';
const passage = (prefix: Prefix): boolean => prefix.includes('--ambient-caps=+dac_override');

describe('a program that refuses root', () => {
  it('is run as the current user without root', () => {
    expect(unprivileged({ root: false, probe: () => false }).prefix).toEqual([]);
  });

  it('is run in a user namespace where these exist', () => {
    expect(unprivileged({ root: true, probe: () => true }).prefix[0]).toBe('unshare');
  });

  it('is run as another user where namespaces are forbidden, able to pass closed directories', () => {
    const { prefix } = unprivileged({ root: true, probe: (tried) => !namespaces(tried) });
    expect(prefix).toEqual(expect.arrayContaining(['setpriv', '--reuid=65534', '--ambient-caps=+dac_override']));
  });

  it('is run as another user that can pass nothing, when that is all there is', () => {
    const { prefix } = unprivileged({ root: true, probe: (tried) => !namespaces(tried) && !passage(tried) });
    expect(prefix).toEqual(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']);
  });

  it('is refused with instructions where no way works', () => {
    expect(() => unprivileged({ root: true, probe: () => false })).toThrow(/unshare.*setpriv.*DATABASE_URL_AUTH/);
  });
});
