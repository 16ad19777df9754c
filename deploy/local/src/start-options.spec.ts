import { SERVICES } from '@lyceum/contracts';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { REPLICAS, startOptions as optionsOf } from '../setup/start-options.mjs';
import { NODE, WORKSPACE } from './workspace.js';

/** The variables of npm belong to the one that runs the tests. */
const startOptions = (args: readonly string[], environment: Record<string, string> = {}): unknown =>
  optionsOf(args, environment);

describe('the options of npm start', () => {
  it('defaults to data and facts below .lyceum and the port of last time', () => {
    expect(startOptions([])).toEqual({
      port: undefined,
      data: join(WORKSPACE, '.lyceum/data'),
      facts: join(WORKSPACE, '.lyceum'),
      small: false,
      verbose: false,
      without: [],
      replicas: {},
      watch: undefined,
    });
  });

  it('puts the facts of other data inside of it, so that two stacks do not overwrite each other', () => {
    expect(startOptions(['--data', '/elsewhere'])).toMatchObject({ data: '/elsewhere', facts: '/elsewhere' });
  });

  it('leaves out several services', () => {
    expect(startOptions(['--without', 'auth', '--without', 'member-api'])).toMatchObject({
      without: ['auth', 'member-api'],
    });
  });

  it('names the service that npm run dev builds and restarts', () => {
    expect(startOptions(['--watch', 'member-api'])).toMatchObject({ watch: 'member-api' });
  });

  it('takes the replicas of services from repeated options and from lists', () => {
    expect(startOptions(['--replicas', 'auth=2,member-api=3', '--replicas', 'mcp-gateway=1'])).toMatchObject({
      replicas: { auth: 2, 'member-api': 3, 'mcp-gateway': 1 },
    });
  });

  it.each([REPLICAS.least, REPLICAS.most])('accepts %d replicas', (count) => {
    expect(startOptions(['--replicas', `auth=${count}`])).toMatchObject({ replicas: { auth: count } });
  });

  it.each([
    [`auth=${REPLICAS.least - 1}`, 'a number from 1 to 4 is needed'],
    [`auth=${REPLICAS.most + 1}`, 'a number from 1 to 4 is needed'],
    ['auth=-1', 'a number from 1 to 4 is needed'],
    ['auth=two', 'a number from 1 to 4 is needed'],
    ['auth=1.5', 'a number from 1 to 4 is needed'],
    ['auth', 'write it as <name>=<n>, for example --replicas member-api=2'],
    ['auth=', 'write it as <name>=<n>'],
    ['auth=2=2', 'write it as <name>=<n>'],
    ['auth=2,', 'write it as <name>=<n>'],
    ['2', 'write it as <name>=<n>'],
    ['other-api=2', '--replicas other-api: no such service (admin-api, auth, mcp-gateway, member-api)'],
    ['auth=2,auth=3', '--replicas names auth twice'],
  ])('refuses the replicas %p', (text, message) => {
    expect(() => startOptions([`--replicas=${text}`])).toThrow(message);
  });

  it('refuses replicas of a service that is left out', () => {
    expect(() => startOptions(['--without', 'auth', '--replicas', 'auth=2'])).toThrow(
      '--replicas auth=2 and --without auth: it is left out',
    );
  });

  it.each(['1', '65535'])('accepts port %s', (port) => {
    expect(startOptions(['--port', port])).toMatchObject({ port: Number(port) });
  });

  it.each(['0', '65536', '-1', '80a', ''])('refuses port %p', (port) => {
    expect(() => startOptions([`--port=${port}`])).toThrow(/from 1 to 65535/);
  });

  it('accepts every service, and refuses other names', () => {
    for (const name of SERVICES) expect(startOptions(['--without', name])).toMatchObject({ without: [name] });
    expect(() => startOptions(['--without', 'unknown'])).toThrow(/no such service \(admin-api, auth, mcp-/);
    expect(() => startOptions(['--watch', 'other-api'])).toThrow(/--watch other-api: no such service/);
    expect(() => startOptions(['--watch', 'auth', '--without', 'auth'])).toThrow(/--watch auth.*--without/);
  });

  it.each([
    ['--prot', '--port'],
    ['--dta', '--data'],
    ['--smal', '--small'],
    ['--with', '--without'],
    ['--hepl', '--help'],
  ])('names the option that is nearest to %s, and the help', (given, nearest) => {
    expect(() => startOptions([given, '1'])).toThrow(
      `${given} is an unknown option. Did you mean ${nearest}? npm start -- --help describes all options.`,
    );
  });

  it('names no option that differs in more than half of its letters', () => {
    expect(() => startOptions(['--open'], { npm_lifecycle_event: 'dev' })).toThrow(
      '--open is an unknown option. npm run dev -- --help describes all options.',
    );
  });

  it.each([
    [['--port'], '--port needs a value: --port <n>'],
    [['--data', '--small'], '--data needs a value: --data <directory>'],
    [['--watch'], '--watch needs a value: --watch <name>'],
    [['--replicas'], '--replicas needs a value: --replicas <name>=<n>'],
    [['--small=yes'], '--small takes no value.'],
    [['8490'], '"8490" is not an option. npm start -- --help describes all options.'],
  ])('refuses %j', (args, message) => {
    expect(() => startOptions(args)).toThrow(message);
  });
});

describe('options that npm took for itself', () => {
  it.each([
    [['8490'], { npm_config_port: 'true' }, 'npm start -- --port 8490'],
    [[], { npm_config_port: '8490', npm_config_small: 'true' }, 'npm start -- --port 8490 --small'],
    [['8490', 'x'], { npm_config_port: 'true', npm_config_data: 'true' }, 'npm start -- --port <n> --data <directory>'],
    [[], { npm_config_small: 'true', npm_lifecycle_event: 'dev' }, 'npm run dev -- --small'],
  ])('shows how to write %j', (args, environment, command) => {
    expect(() => startOptions(args, environment)).toThrow(
      new RegExp(`^npm took --.* for itself\\. Write two dashes before the options: ${command}$`),
    );
  });

  it('accepts an option after two dashes that npm knows too', () => {
    expect(startOptions(['--port', '8490'], { npm_config_port: 'true' })).toMatchObject({ port: 8490 });
  });
});

it('refuses npm start --port 8490 with the npm of this machine', () => {
  const { PATH = '', HOME = '' } = process.env;
  const ended = spawnSync('npm', ['start', '--port', '8490'], {
    cwd: WORKSPACE,
    encoding: 'utf8',
    env: { PATH, HOME },
  });
  expect(ended.status).toBe(1);
  expect(ended.stderr).toContain('Write two dashes before the options: npm start -- --port 8490\n');
});

describe('the check before the set-up', () => {
  const check = (...args: string[]) =>
    spawnSync(NODE, [join(WORKSPACE, 'deploy/local/setup/check-options.mjs'), ...args], { encoding: 'utf8', env: {} });

  it('passes silently', () => {
    expect(check('--small')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('prints the help, and ends the start with another code', () => {
    const { status, stdout } = check('--help');
    expect(status).toBe(3);
    for (const option of ['--port', '--data', '--small', '--without', '--replicas', '--watch', '--verbose'])
      expect(stdout).toContain(option);
  });

  it('refuses wrong options with one sentence and without a trace of the stack', () => {
    const { status, stderr } = check('--port', '0');
    expect(status).toBe(1);
    expect(stderr).toBe('\n--port 0 is no port: a number from 1 to 65535\n');
  });
});

describe('the order of npm start', () => {
  const root = mkdtempSync(join(tmpdir(), 'lyceum-start-order-'));
  afterAll(() => rmSync(root, { recursive: true }));

  /** The script of npm start, with a set-up and a start that write down that they ran. */
  function start(...args: string[]): { readonly status: number | null; readonly ran: string } {
    const home = join(root, 'deploy/local');
    mkdirSync(join(home, 'dist'), { recursive: true });
    cpSync(join(WORKSPACE, 'deploy/local/start.sh'), join(home, 'start.sh'));
    cpSync(join(WORKSPACE, 'deploy/local/setup'), join(home, 'setup'), { recursive: true });
    writeFileSync(join(root, 'ran'), '');
    const note = (name: string): string =>
      `require('fs').appendFileSync('ran', '${name} ' + process.argv.slice(2).join(' ') + ';');`;
    writeFileSync(join(home, 'setup.mjs'), `import { createRequire } from 'module'; ${required}${note('set-up')}`);
    writeFileSync(join(home, 'dist/start.js'), note('start'));
    const { status } = spawnSync('sh', ['deploy/local/start.sh', ...args], {
      cwd: root,
      env: { PATH: `${dirname(NODE)}:/usr/bin:/bin` },
    });
    return { status, ran: readFileSync(join(root, 'ran'), 'utf8') };
  }
  const required = 'const require = createRequire(import.meta.url); ';

  it.each([
    [['--small'], 0, 'set-up --start;start --small;'],
    [['--prot', '1'], 1, ''],
    [['--help'], 0, ''],
  ])('checks %j before the set-up', (args, status, ran) => {
    expect(start(...args)).toEqual({ status, ran });
  });
});
