import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { natsProgram } from '@lyceum/local';
import { ROOT, generatedFiles } from './generated.ts';
import { OVERLAYS, goldenFile, render } from './render.ts';

const COMMAND = 'npm run -s manifests -w @lyceum/system-test';

describe('the manifests', () => {
  it.each(OVERLAYS)(`equals what kustomize builds for %s (${COMMAND} writes it)`, (overlay) => {
    expect(render(overlay) === readFileSync(goldenFile(overlay), 'utf8')).toBe(true);
  });

  it.each(Object.entries(generatedFiles()))(`keeps %s fresh (${COMMAND} writes it)`, (file, text) => {
    expect(readFileSync(join(ROOT, file), 'utf8') === text).toBe(true);
  });

  describe('of NATS', () => {
    const directory = mkdtempSync(join(tmpdir(), 'lyceum-nats-'));
    const configuration = join(directory, 'nats.conf');
    const check = () =>
      spawnSync(natsProgram(), ['-t', '-c', configuration], {
        encoding: 'utf8',
        env: { ...process.env, POD_NAME: 'nats-0' },
      });
    beforeAll(() => cpSync(join(ROOT, 'deploy/kubernetes/components/nats'), directory, { recursive: true }));
    afterAll(() => rmSync(directory, { recursive: true }));

    /** As the template of the ExternalSecret writes it. */
    const passwords = (): string =>
      readFileSync(join(ROOT, 'deploy/kubernetes/components/external-secrets/nats.yaml'), 'utf8')
        .split('\n')
        .filter((line) => /^ +\w+_password: /.test(line))
        .map((line) => line.trim().replace(/\{\{ \.(\w+) \}\}/, 'a password of $1'))
        .join('\n');

    it('passes the check of nats-server', () => {
      writeFileSync(join(directory, 'passwords.conf'), passwords());
      const { status, stderr } = check();
      expect(stderr).toContain('configuration file');
      expect(status).toBe(0);
    });

    it('needs a password for each user', () => {
      writeFileSync(join(directory, 'passwords.conf'), passwords().replace(/^storefront_.*$/m, ''));
      const { status, stderr } = check();
      expect(stderr).toContain('storefront_password');
      expect(status).toBe(1);
    });
  });
});
