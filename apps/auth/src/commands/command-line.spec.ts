import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthConfiguration } from '#src/auth.environment.js';
import { clientCommand } from './client.command.js';
import { options } from './command-line.js';
import { commands } from './commands.js';
import { personCommand } from './person.command.js';
import { siteCommand } from './site.command.js';

/** No database: a wrong call must not need one. */
const NONE = {} as AuthConfiguration;

const REQUIRED = { site: undefined, email: undefined, role: 'owner' };

function refusalOf(...args: string[]): unknown {
  try {
    return options(['invite', ...args], 'invite', REQUIRED);
  } catch (error) {
    return error;
  }
}

describe('The options of a command', () => {
  it('names all that are missing at once', () => {
    expect(refusalOf()).toMatchObject({ name: 'UsageError', message: '--site, --email are missing' });
    expect(refusalOf('--site', 'x')).toMatchObject({ name: 'UsageError', message: '--email is missing' });
  });

  it('reads them, with the defaults of the others', () => {
    expect(refusalOf('--site', 'x', '--email', 'y')).toEqual({ site: 'x', email: 'y', role: 'owner' });
  });

  it('takes a value that begins with a dash', () => {
    const read = { site: '-x', email: '-y=1', role: 'owner' };
    expect(refusalOf('--site', '-x', '--email', '-y=1')).toEqual(read);
    expect(refusalOf('--site=-x', '--email', '-y=1')).toEqual(read);
    expect(refusalOf('--site', '--x', '--email', '--y')).toMatchObject({ site: '--x', email: '--y' });
  });

  it.each([['--mail', 'x'], ['--email'], ['x'], ['-x'], ['--email', '--role', 'x']])(
    'refuses %s as a wrong call',
    (...args) => {
      expect(refusalOf('--site', 'x', ...args)).toMatchObject({ name: 'UsageError' });
    },
  );
});

describe('A command with subcommands', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['person', personCommand, 'invite --site'],
    ['client', clientCommand, '--overlap none|1h|24h|7d'],
    ['site', siteCommand, 'mcp-connections|sign-up|sign-in-links --site'],
  ])('prints the usage of %s, a line for each subcommand, without a database', async (_word, command, line) => {
    for (const args of [['help'], ['--help'], ['create', '--help']]) {
      const printed: string[] = [];
      jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
      await command.run(NONE, args);
      expect(printed.join('')).toContain(line);
      expect(printed.join('').split('\n').length).toBeGreaterThan(3);
      jest.restoreAllMocks();
    }
  });

  it.each([
    [[], 'a subcommand is missing'],
    [['loved'], 'loved is not a subcommand'],
    [['constructor'], 'constructor is not a subcommand'],
  ])('refuses %j with the usage', async (args, message) => {
    const refusal = personCommand.run(NONE, args);
    await expect(refusal).rejects.toMatchObject({ name: 'UsageError' });
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toThrow('invite --site');
  });
});

describe('apply', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-apply-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('refuses a call without a file, and a missing file, as wrong calls', async () => {
    await expect(commands['apply']?.run(NONE, [])).rejects.toMatchObject({ name: 'UsageError' });
    const missing = commands['apply']?.run(NONE, [join(directory, 'missing.json')]);
    await expect(missing).rejects.toMatchObject({ name: 'UsageError' });
  });

  it('refuses a file with wrong members as a wrong call, and shows no part of it', async () => {
    const path = join(directory, 'seed.json');
    const people = '[{"password":"hunter2","email":"hunter2","name":"x","roles":["hunter2"]}]';
    writeFileSync(path, `{"sites":[{"name":"hunter2","slug":7,"people":${people}}]}`);
    const refusal: unknown = await commands['apply']?.run(NONE, [path]).catch((error: unknown) => error);
    const message = expect.stringContaining(
      `${path} has errors: /sites/0/base_url: Required; /sites/0/slug: Must be text; /sites/0/people/0/roles/0: `,
    );
    expect(refusal).toMatchObject({ name: 'UsageError', message });
    expect(String(refusal)).not.toMatch(/hunter|\n/);
  });
});
