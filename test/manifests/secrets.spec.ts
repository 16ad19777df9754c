import { spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES } from '@lyceum/contracts';
import { callSigningEnvironment, callTrustEnvironment } from '@lyceum/messaging';
import { readConfiguration, secretKeys, secretTexts } from '@lyceum/platform';
import { z } from 'zod';
import { ROOT } from './generated.ts';
import { readGolden } from './objects.ts';

const page = (name: string): string => readFileSync(join(ROOT, 'docs/operate', name), 'utf8');

interface ExternalSecret {
  readonly spec: {
    readonly target: { readonly template?: { readonly data: Readonly<Record<string, string>> } };
    readonly data: readonly { readonly remoteRef: { readonly key: string; readonly property: string } }[];
  };
}

describe('the Secrets of docs/operate/kubernetes.md', () => {
  const [, section = ''] = /^## Secrets\n(.*?)^#/ms.exec(page('kubernetes.md')) ?? [];
  const rowOf = (key: string): string => section.split('\n').find((line) => line.startsWith(`| \`${key}\` `)) ?? '';
  const secrets = readGolden('prod').of<ExternalSecret>('ExternalSecret');

  it('names each property that the store needs, in the row of its key', () => {
    const needed = secrets.flatMap(({ spec }) => spec.data.map(({ remoteRef }) => remoteRef));
    expect(needed).toContainEqual({ key: 'nats', property: 'STOREFRONT_PASSWORD' });
    expect(needed.filter(({ key, property }) => !rowOf(key).includes(`\`${property}\``))).toEqual([]);
  });

  it('lists each variable of passwords.conf', () => {
    const text = secrets.map(({ spec }) => spec.target.template?.data['passwords.conf'] ?? '').join('');
    const variables = [...text.matchAll(/^(\w+):/gm)].map(([variable]) => variable);
    expect(variables).toHaveLength(SERVICES.length + 3);
    expect(variables.filter((variable) => !section.includes(`\n${variable}`))).toEqual([]);
  });
});

const withOpenssl = spawnSync('openssl', ['version']).status === 0 ? it : it.skip;

describe('the values of docs/operate/rotation.md', () => {
  const [, section = ''] = /^### Make a value\n(.*?)^#/ms.exec(page('rotation.md')) ?? [];
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-secrets-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  const run = (command: string): string =>
    spawnSync('bash', ['-c', command], { cwd: directory, encoding: 'utf8' }).stdout;

  withOpenssl('makes a pair of keys that signs and proves calls', () => {
    const [, commands = ''] = /```sh\n(.*?)```/s.exec(section) ?? [];
    const lines = commands.trim().split('\n');
    expect(lines.slice(1).map((line) => line.split('# ')[1])).toEqual(['CALL_SIGNING_KEY', 'CALL_PUBLIC_KEYS']);
    const [, CALL_SIGNING_KEY, CALL_PUBLIC_KEYS] = lines.map(run);
    const environment = z.object({ ...callSigningEnvironment, ...callTrustEnvironment });
    const config = readConfiguration(environment, { CALL_SIGNING_KEY, CALL_PUBLIC_KEYS });
    expect(config.CALL_PUBLIC_KEYS.map((key) => createPublicKey(config.CALL_SIGNING_KEY).equals(key))).toEqual([true]);
  });

  withOpenssl('makes keys and secrets that the services accept', () => {
    const commands = [...section.matchAll(/`(openssl rand [^`]+)`/g)].map(([, command = '']) => command);
    const [key = '', secret = ''] = commands.map((command) => run(command).trim());
    const environment = z.object({ KEY: secretKeys, SECRET: secretTexts });
    expect(readConfiguration(environment, { KEY: key, SECRET: secret })).toEqual({
      KEY: [Buffer.from(key, 'base64')],
      SECRET: [secret],
    });
    expect(secret).toMatch(/^[A-Za-z0-9]+$/);
  });

  it('names each service that introspects tokens', () => {
    const [, example = ''] = /`(\{"[^`]+\})`/.exec(section) ?? [];
    expect(Object.keys(JSON.parse(example) as object)).toEqual(SERVICES.filter((name) => name !== 'auth'));
  });
});
