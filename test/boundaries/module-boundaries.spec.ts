import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '../..');
const bin = join(root, 'node_modules/.bin');

interface Constraint {
  readonly sourceTag: string;
  readonly onlyDependOnLibsWithTags: readonly string[];
}

/** For each constrained tag: a project that has it, and an import that the constraint forbids. */
const VIOLATIONS: Readonly<Record<string, { project: string; imports: string }>> = {
  'type:app': { project: 'apps/mcp-gateway', imports: '@lyceum/auth' },
  'type:test': { project: 'test', imports: '@lyceum/auth' },
  'scope:contracts': { project: 'libs/contracts', imports: '@lyceum/errors' },
  'scope:docs': { project: 'libs/docs', imports: '@lyceum/contracts' },
  'scope:errors': { project: 'libs/errors', imports: '@lyceum/testing' },
  'scope:mail': { project: 'libs/mail', imports: '@lyceum/messages' },
  'scope:messages': { project: 'libs/messages', imports: '@lyceum/messaging' },
  'scope:pages': { project: 'libs/pages', imports: '@lyceum/messaging' },
  'scope:platform': { project: 'libs/platform', imports: '@lyceum/contracts' },
  'scope:messaging': { project: 'libs/messaging', imports: '@lyceum/resource-server' },
  'scope:rate-limit': { project: 'libs/rate-limit', imports: '@lyceum/resource-server' },
  'scope:storage': { project: 'libs/storage', imports: '@lyceum/messaging' },
  'scope:jobs': { project: 'libs/jobs', imports: '@lyceum/messaging' },
  'scope:resource-server': { project: 'libs/resource-server', imports: '@lyceum/tools' },
  'scope:tools': { project: 'libs/tools', imports: '@lyceum/local' },
  'scope:rest': { project: 'libs/rest', imports: '@lyceum/collections' },
  'scope:collections': { project: 'libs/collections', imports: '@lyceum/topology' },
  'scope:local': { project: 'deploy/local', imports: '@lyceum/platform' },
  'scope:nx': { project: 'tools/nx', imports: '@lyceum/errors' },
  'scope:topology': { project: 'libs/topology', imports: '@lyceum/platform' },
  'scope:testing': { project: 'libs/testing', imports: '@lyceum/auth' },
};

interface PackageFile {
  exports?: unknown;
  dependencies?: unknown;
  devDependencies?: unknown;
}

/** Only the planted imports may create edges of the graph. An app needs an entry to be importable. */
function bare(packageFile: string): string {
  const { dependencies: _, devDependencies: __, ...rest } = JSON.parse(packageFile) as PackageFile;
  return JSON.stringify({ ...rest, exports: rest.exports ?? './src/main.ts' });
}

/** The installed modules, but with the packages of the workspace from the copy. */
function linkModules(copy: string): void {
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@lyceum'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@lyceum') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(root, 'node_modules/@lyceum'))) {
    const home = relative(root, realpathSync(join(root, 'node_modules/@lyceum', name)));
    symlinkSync(join(copy, home), join(modules, '@lyceum', name));
  }
}

/** A copy of the workspace with only the package files, in which violations are planted. */
function plantedWorkspace(): string {
  const copy = mkdtempSync(join(tmpdir(), 'lyceum-boundaries-'));
  const files = execFileSync('git', ['ls-files', '*package.json', 'nx.json', '.oxlintrc.json', 'tsconfig.base.json'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files
    .trim()
    .split('\n')
    .filter((name) => !name.includes('fixtures/'))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    const content = readFileSync(join(root, file), 'utf8');
    writeFileSync(join(copy, file), file.endsWith('/package.json') ? bare(content) : content);
  }
  cpSync(join(root, 'package-lock.json'), join(copy, 'package-lock.json'));
  linkModules(copy);
  for (const [tag, { project, imports }] of Object.entries(VIOLATIONS)) {
    const file = join(copy, project, 'src', `${tag.replace(':', '-')}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export * from '${imports}';\n`);
  }
  return copy;
}

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
  readonly message: string;
}

describe('the module boundaries', () => {
  let copy: string;
  let diagnostics: Diagnostic[];

  beforeAll(() => {
    copy = plantedWorkspace();
    execFileSync(join(bin, 'nx'), ['graph', `--file=${join(copy, 'graph.json')}`], {
      cwd: copy,
      env: { ...process.env, NX_DAEMON: 'false', NX_WORKSPACE_ROOT_PATH: copy, NX_CACHE_PROJECT_GRAPH: 'true' },
      stdio: 'ignore',
    });
    const lint = spawnSync(join(bin, 'oxlint'), ['-c', '.oxlintrc.json', '--format=json', '.'], {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, NX_WORKSPACE_ROOT_PATH: copy },
    });
    diagnostics = (JSON.parse(lint.stdout) as { diagnostics: Diagnostic[] }).diagnostics;
  });

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('finds a violating import for each module boundary', () => {
    const config = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as {
      rules: Record<string, [string, { depConstraints: Constraint[] }]>;
    };
    const constrained = config.rules['@nx/enforce-module-boundaries']![1].depConstraints.map(
      ({ sourceTag }) => sourceTag,
    );
    expect(constrained.sort()).toEqual(Object.keys(VIOLATIONS).sort());
  });

  it.each(Object.entries(VIOLATIONS))('refuses a forbidden import of %s', (tag, { project }) => {
    const planted = join(project, 'src', `${tag.replace(':', '-')}.ts`);
    const found = diagnostics.filter(
      ({ code, filename }) => code.includes('enforce-module-boundaries') && filename.endsWith(planted),
    );
    expect(found).toHaveLength(1);
    expect(found[0]!.message).toContain(tag);
  });
});
