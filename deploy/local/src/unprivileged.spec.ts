import { unprivileged } from './unprivileged.js';

type Prefix = readonly string[];
const namespaces = (prefix: Prefix): boolean => prefix[0] === 'unshare';
const passage = (prefix: Prefix): boolean => prefix.includes('--ambient-caps=+dac_override');

describe('a program that refuses root', () => {
  it('runs as the current user when that is not root', () => {
    expect(unprivileged({ root: false, probe: () => false }).prefix).toEqual([]);
  });

  it('runs in a user namespace where namespaces are allowed', () => {
    expect(unprivileged({ root: true, probe: () => true }).prefix[0]).toBe('unshare');
  });

  it('runs as another user with access to closed directories where namespaces are forbidden', () => {
    const { prefix } = unprivileged({ root: true, probe: (tried) => !namespaces(tried) });
    expect(prefix).toEqual(expect.arrayContaining(['setpriv', '--reuid=65534', '--ambient-caps=+dac_override']));
  });

  it('runs as another user without capabilities when these are forbidden too', () => {
    const { prefix } = unprivileged({ root: true, probe: (tried) => !namespaces(tried) && !passage(tried) });
    expect(prefix).toEqual(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']);
  });

  it('fails with instructions when no way works', () => {
    expect(() => unprivileged({ root: true, probe: () => false })).toThrow(/unshare.*setpriv.*DATABASE_URL_AUTH/);
  });
});
