import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secrets } from './secrets.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-secrets-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'deep', 'secrets.json');

describe('the secrets of a data directory', () => {
  it('creates each secret once and reads it after a restart', () => {
    const first = new Secrets(file);
    const made = [first.password('auth'), first.key('cursor')];
    const second = new Secrets(file);
    expect([second.password('auth'), second.key('cursor')]).toEqual(made);
  });

  it('creates 256 bits for each name', () => {
    const secrets = new Secrets(file);
    expect(secrets.password('auth')).not.toBe(secrets.password('school'));
    expect(Buffer.from(secrets.key('cursor'), 'base64')).toHaveLength(32);
    expect(Buffer.from(secrets.password('auth'), 'base64url')).toHaveLength(32);
  });

  it('lets only the owner read the file', () => {
    new Secrets(file).password('auth');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
