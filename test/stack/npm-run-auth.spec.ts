import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '@lyceum/local';
import { systemStack } from './system-stack.js';

const root = join(__dirname, '../..');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run -s <script> -- <words>` with the Node and the npm of the machine. */
function npmRun(script: string, words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const path = process.env['PATH']!.split(delimiter).filter((entry) => !entry.includes('node_modules'));
  const env = { HOME: process.env['HOME'] ?? '', PATH: path.join(delimiter), ...more };
  return new Promise((resolve) => {
    execFile('npm', ['run', '-s', script, '--', ...words], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const npmRunAuth = (words: readonly string[], more?: Readonly<Record<string, string>>): Promise<Ended> =>
  npmRun('auth', words, more);

describe('npm run auth', () => {
  const { sites, environments } = systemStack();
  const site = sites[0]!.base_url;
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'lyceum-npm-run-auth-'));
  });
  afterEach(() => rmSync(data, { recursive: true }));

  /** Writes the files of `npm start -- --data <directory>`. */
  function writeEnvironment(environment: Readonly<Record<string, string>>, service = 'auth'): void {
    mkdirSync(join(data, 'env'));
    const lines = Object.entries(environment).map(([name, value]) => `${name}='${value}'\n`);
    writeFileSync(join(data, `env/${service}.env`), lines.join(''));
  }

  it('runs a command against the local stack and prints its result', async () => {
    writeEnvironment(environments.auth);
    const words = ['person', 'invite', '--site', site, '--email', 'npm@run.example', '--name', 'Nora Run'];
    // Variables of the stack win over those of the shell.
    const ended = await npmRunAuth(['--data', data, ...words], { DATABASE_URL: 'postgresql://nowhere.example/x' });
    expect(ended).toMatchObject({ code: 0 });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      link: expect.stringContaining(`${site}/account/invitation?token=`),
    });
  });

  it('prints the commands without an argument, and exits with the code of the command', async () => {
    writeEnvironment(environments.auth);
    expect((await npmRunAuth(['--data', data])).stdout).toMatch(/person .*\n.*client /);
    expect((await npmRunAuth(['--data', data, 'persona'])).code).toBe(64);
  });

  it('names all missing options in one line, and prints the usage of a command', async () => {
    writeEnvironment(environments.auth);
    const ended = await npmRunAuth(['--data', data, 'person', 'invite']);
    expect(ended).toEqual({ code: 64, stdout: '', stderr: 'auth person: --site, --email, --name are missing\n' });
    const help = await npmRunAuth(['--data', data, 'person', 'help']);
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('  reset-password --site … --email …\n')]);
  });

  it('asks to start the stack when it was never started', async () => {
    const { code, stdout, stderr } = await npmRunAuth(['--data', data, 'cimd', 'list']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The local stack was never started .*\. Run npm start in another terminal/);
  });

  it('asks to start the stack when it was stopped', async () => {
    const url = new URL(environments.auth['DATABASE_URL']!);
    url.port = String(await freePort());
    writeEnvironment({ ...environments.auth, DATABASE_URL: url.href });
    const { code, stderr } = await npmRunAuth(['--data', data, 'cimd', 'list']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The local stack is not running\. Run npm start/);
  });

  it('does not start the service', async () => {
    const { code, stderr } = await npmRunAuth(['--data', data, 'serve']);
    expect(code).toBe(1);
    expect(stderr).toContain('npx nx serve auth');
  });

  it('runs a command of another service by npm run command', async () => {
    writeEnvironment(environments['member-api'], 'member-api');
    const ended = await npmRun('command', ['member-api', '--data', data, 'dead-letters', 'list']);
    expect(ended).toMatchObject({ code: 0 });
  });

  it('names the services when the first word of npm run command is none of them', async () => {
    const { code, stderr } = await npmRun('command', ['rebuild', 'badges']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('admin-api, auth, mcp-gateway, member-api')]);
  });
});
