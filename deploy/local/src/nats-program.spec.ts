import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertSupportedVersion, natsProgram } from './nats-program.js';

let directory: string;
beforeAll(() => (directory = mkdtempSync(join(tmpdir(), 'lyceum-nats-program-'))));
afterAll(() => rmSync(directory, { recursive: true }));

/** A program that reports this version of nats-server. */
function server(folder: string, version: string): string {
  const path = join(mkdtempSync(join(directory, folder)), 'nats-server');
  writeFileSync(path, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  chmodSync(path, 0o755);
  return path;
}
const NOWHERE = 'plan9-mips';

describe('the nats-server program', () => {
  it('takes the program of NATS_SERVER_BIN before all others', () => {
    const named = server('named-', '2.12.0');
    expect(natsProgram({ environment: { NATS_SERVER_BIN: named, PATH: join(server('path-', '2.12.0'), '..') } })).toBe(
      named,
    );
  });

  it('takes the program of the package before one on the PATH', () => {
    const environment = { PATH: join(server('path-', '2.12.0'), '..') };
    expect(natsProgram({ environment, platform: 'linux-x64' })).toContain('@eplightning');
  });

  it('takes the first program on the PATH when the package is missing', () => {
    const [first, second] = [server('a-', '2.12.0'), server('b-', '2.12.0')];
    const environment = { PATH: ['/nowhere', join(first, '..'), join(second, '..')].join(':') };
    expect(natsProgram({ environment, platform: NOWHERE })).toBe(first);
  });

  it.each([
    ['darwin-arm64', 'brew install nats-server'],
    ['linux-arm64', 'put it on the PATH'],
  ])('names a remedy in one sentence when %s has no program', (platform, remedy) => {
    expect(() => natsProgram({ environment: { PATH: '/nowhere' }, platform })).toThrow(
      new RegExp(`^nats-server is missing on ${platform}: [^.]*${remedy}.*NATS_SERVER_BIN.*NATS_URL.*containers.*\\.$`),
    );
  });

  it('refuses an old version', () => {
    const old = server('old-', '2.10.29');
    expect(() => natsProgram({ environment: { NATS_SERVER_BIN: old } })).toThrow(
      /NATS_SERVER_BIN .* is NATS 2\.10\.29; 2\.11 or newer/,
    );
    expect(() => natsProgram({ environment: { PATH: join(old, '..') }, platform: NOWHERE })).toThrow(
      /on the PATH .* is NATS 2\.10\.29/,
    );
  });

  it('refuses a program that does not run', () => {
    expect(() => natsProgram({ environment: { NATS_SERVER_BIN: '/nowhere/nats-server' } })).toThrow(
      /no nats-server that can be run/,
    );
  });
});

describe('the version of nats-server', () => {
  it.each(['2.11.0', 'v2.11.0', '2.14.0', '3.0.0'])('accepts %s', (version) => {
    expect(() => assertSupportedVersion(version, 'It')).not.toThrow();
  });
  it.each(['2.10.99', '1.99.0', '2', ''])('refuses %p', (version) => {
    expect(() => assertSupportedVersion(version, 'It')).toThrow(/2\.11 or newer is needed/);
  });
});
