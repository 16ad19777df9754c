import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secrets } from './secrets.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-secrets-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'deep', 'secrets.json');

describe('the secrets of a data directory', () => {
  it('are made once, and are the same after a restart', () => {
    const first = new Secrets(file);
    const made = [first.password('auth'), first.key('cursor')];
    const second = new Secrets(file);
    expect([second.password('auth'), second.key('cursor')]).toEqual(made);
  });

  it('differ by name, and have 256 bits', () => {
    const secrets = new Secrets(file);
    expect(secrets.password('auth')).not.toBe(secrets.password('school'));
    expect(Buffer.from(secrets.key('cursor'), 'base64')).toHaveLength(32);
    expect(Buffer.from(secrets.password('auth'), 'base64url')).toHaveLength(32);
  });

  it('can be read by their owner only', () => {
    new Secrets(file).password('auth');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
