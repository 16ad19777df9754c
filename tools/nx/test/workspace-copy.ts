import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const ROOT = dirname(dirname(dirname(__dirname)));
const COPIED = ['*package.json', '*tsconfig*.json', 'nx.json', '.oxlintrc.json', '.oxfmtrc.json', '*jest.*.mjs'].concat(
  'package-lock.json',
  'libs',
  'apps',
  'deploy',
  'tools',
);

/** A copy of the workspace with the installed modules, in which generators may write. */
export class WorkspaceCopy {
  readonly #directory = mkdtempSync(join(tmpdir(), 'lyceum-generators-'));

  constructor() {
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...COPIED], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    for (const file of files
      .trim()
      .split('\n')
      .filter((name) => existsSync(join(ROOT, name)))) {
      mkdirSync(dirname(this.path(file)), { recursive: true });
      copyFileSync(join(ROOT, file), this.path(file));
    }
    this.#linkModules();
  }

  path(file: string): string {
    return join(this.#directory, file);
  }

  /** Runs a program of the workspace in a folder of the copy. */
  async run(folder: string, program: string, ...args: string[]): Promise<string> {
    // The Nx and the run that started this suite leave variables that belong to them.
    const outer = Object.entries(process.env).filter(([name]) => !/^(NX_|LYCEUM_TEST_PROGRESS$)/.test(name));
    const nx = { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_WORKSPACE_ROOT_PATH: this.#directory };
    const more = { ...nx, NO_COLOR: '1', FORCE_COLOR: '0' };
    const env = { ...Object.fromEntries(outer), ...more };
    const command = join(ROOT, 'node_modules/.bin', program);
    try {
      const { stdout } = await promisify(execFile)(command, args, { cwd: this.path(folder), env });
      return stdout;
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
      throw new Error(`${program} ${args.join(' ')} failed\n${stdout ?? ''}${stderr ?? ''}`, { cause: error });
    }
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** The packages of the workspace are those of the copy. */
  #linkModules(): void {
    const modules = this.path('node_modules');
    mkdirSync(join(modules, '@lyceum'), { recursive: true });
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (name !== '@lyceum' && name !== '.cache') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
    for (const name of readdirSync(join(ROOT, 'node_modules/@lyceum'))) {
      const home = relative(ROOT, realpathSync(join(ROOT, 'node_modules/@lyceum', name)));
      symlinkSync(this.path(home), join(modules, '@lyceum', name));
      const own = join(ROOT, home, 'node_modules');
      if (existsSync(own)) symlinkSync(own, this.path(join(home, 'node_modules')));
    }
  }
}
