import { generateKeyPairSync } from 'node:crypto';
import { readConfiguration } from '@lyceum/platform';
import { environment } from './configuration.js';

/** A start with these variables ends with the exit code 78, and names each of those that are missing. */
function expectMissing(given: Readonly<Record<string, string>>, faults: readonly string[]): void {
  const key = Buffer.alloc(32).toString('base64');
  const required = {
    DATABASE_URL: 'postgres://school@localhost/school',
    NATS_URL: 'nats://localhost',
    NATS_USER: 'admin-api',
    NATS_PASSWORD: key,
    CALL_PUBLIC_KEYS: generateKeyPairSync('ed25519')
      .publicKey.export({ format: 'der', type: 'spki' })
      .toString('base64'),
    INTROSPECTION_URL: 'http://localhost/introspect',
    INTROSPECTION_CLIENT_ID: 'admin-api',
    INTROSPECTION_CLIENT_SECRET: key,
    CURSOR_KEY: key,
    KEY_ENCRYPTION_KEY: key,
  };
  expect(() => readConfiguration(environment, { ...required, ...given })).toThrow(
    `The configuration is not usable:\n${faults.map((name) => `  ${name}: is required`).join('\n')}`,
  );
}

describe('the store of files', () => {
  it('needs the bucket and its keys with S3_ENDPOINT', () => {
    expectMissing({ S3_ENDPOINT: 'https://s3.example', S3_BUCKET: '' }, [
      'S3_BUCKET',
      'S3_ACCESS_KEY_ID',
      'S3_SECRET_ACCESS_KEY',
    ]);
  });

  it('needs FILES_KEY without S3_ENDPOINT', () => {
    expectMissing({}, ['FILES_KEY']);
  });
});
