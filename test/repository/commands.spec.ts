import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOptions } from '@lyceum/local/start-options';
import { readArguments } from '../load/arguments.ts';
import { SUITES } from '../load/suites/suites.ts';
import { PROOFS } from '../long/proofs.ts';
import { nameOf, testPackages } from '../run/results.ts';

const root = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const json = (file: string) => JSON.parse(read(file)) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
/** Pages about the current state. Records of decisions are about the day on which they were written. */
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => !file.startsWith('docs/adr/'));

/** Commands in code spans and code blocks, without comments. */
function commandsIn(text: string): string[] {
  const code = [...text.matchAll(/^ *```[a-z]*\n([\s\S]*?)^ *```/gm), ...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)];
  return code
    .flatMap(([, content = '']) => content.replaceAll(/\s*\\\n\s*/g, ' ').split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => /^(?:npm (?:run|start|test)|npx nx|node)(?:\s|$)/.test(line));
}

const isPlaceholder = (word: string): boolean => /[<>…]/.test(word);
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
const scriptsOf = (directory: string): Readonly<Record<string, unknown>> =>
  json(join(directory, 'package.json'))['scripts'] ?? {};
const packages = testPackages(root);
const projects = new Map(packages.map(({ name, directory }) => [name.replace('@lyceum/', ''), directory]));
/** Packages, and the groups of the system suites. */
const groups = new Set(packages.flatMap((tested) => [tested.name, nameOf(tested)]));

function projectOf(name: string): string {
  const directory = projects.get(name.replace('@lyceum/', ''));
  if (directory === undefined) throw new Error(`no project ${name}`);
  return directory;
}

function requireScript(directory: string, name: string): void {
  if (!(name in scriptsOf(directory))) throw new Error(`no script ${name} in ${directory || 'the root'}`);
}

/** Reads the arguments as the script does. */
const ARGUMENTS: Readonly<Record<string, (given: string[]) => unknown>> = {
  start: (given) => startOptions(given, {}),
  dev: ([name = '', ...more]) => startOptions(['--watch', name, ...more], {}),
  bench: (given) => readArguments(given, Object.keys(SUITES)),
  'test:long': ([proof, ...more]) => {
    if (proof !== undefined && !PROOFS.some(({ name }) => name === proof)) throw new Error(`no proof ${proof}`);
    const unknown = more.find((name) => !groups.has(`@lyceum/${name.replace('@lyceum/', '')}`));
    if (unknown !== undefined) throw new Error(`no project ${unknown}`);
  },
};

function checkNpm(script: string, more: string[]): void {
  const at = more.findIndex((word) => word === '-w');
  requireScript(at === -1 ? '' : projectOf(more[at + 1] ?? ''), script);
  const given = more.includes('--') ? more.slice(more.indexOf('--') + 1) : [];
  if (at === -1 && given.length > 0 && !given.some(isPlaceholder)) ARGUMENTS[script]?.(given);
}

function checkNx([target = '', ...more]: string[]): void {
  if (target === 'g') {
    const [collection = '', generator = ''] = (more[0] ?? '').split(':');
    if (collection !== '@lyceum/nx') throw new Error(`no generators ${collection}`);
    if (!isPlaceholder(generator) && !(generator in (json('tools/nx/generators.json')['generators'] ?? {})))
      throw new Error(`no generator ${generator}`);
    return;
  }
  const option = (name: string): string[] => {
    const after = more.slice(more.indexOf(name) + 1);
    const end = after.findIndex((word) => word.startsWith('-'));
    return more.includes(name) ? after.slice(0, end === -1 ? undefined : end) : [];
  };
  const isMany = ['run-many', 'affected'].includes(target);
  const named = isMany ? option('-p').flatMap((list) => list.split(',')) : [more[0] ?? ''];
  const targets = isMany ? option('-t') : [target];
  if (targets.length === 0) throw new Error('no target');
  for (const project of named.length > 0 ? named : ['auth'])
    for (const one of targets) {
      const directory = projectOf(project);
      // Nx declares `serve` for all services.
      if (one !== 'serve') requireScript(directory, one);
    }
}

/** Sources of files that the build makes. */
function checkNode([file = '', ...more]: string[]): void {
  const source = file.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
  // Commands inside of an image or of a service begin at its folder.
  const isInside = /^(?:app\/)?(?:bundle|dist)\/main\.js$/.test(file);
  if (!isInside && !existsSync(join(root, file)) && !existsSync(join(root, source))) throw new Error(`no file ${file}`);
  if (isInside && more.length === 0) throw new Error('no command');
}

function check(command: string): void {
  const [program, ...rest] = words(command);
  if (program === 'node') return checkNode(rest);
  if (program === 'npx') return checkNx(rest.slice(1));
  const [first = '', ...more] = rest.filter((word) => word !== '-s');
  if (first !== 'run') return checkNpm(first, more);
  const [script = '', ...given] = more;
  checkNpm(script, given);
}

/** Scripts of the root that run without a build, each with the reason. */
const WITHOUT_BUILD: Readonly<Record<string, string>> = {
  start: 'start.sh builds',
  dev: 'start.sh builds',
  auth: 'needs the running stack, whose start has built it',
  command: 'needs the running stack, whose start has built it',
  token: 'needs the running stack, whose start has built it',
  reset: 'uses nothing that is built',
};

/** Scripts without a build before or in them, but for targets of Nx, which builds first. */
function unbuilt(directory: string): string[] {
  const scripts = scriptsOf(directory);
  const targets = directory === '' ? [] : Object.keys(json('nx.json')['targetDefaults'] ?? {});
  const isTarget = (name: string): boolean => targets.includes(name) || name.startsWith('test-');
  const isStep = (name: string): boolean => name.startsWith('pre') && name.slice(3) in scripts;
  return Object.keys(scripts).filter(
    (name) =>
      !isTarget(name) &&
      !isStep(name) &&
      ![`pre${name}`, name].some((one) => String(scripts[one]).includes('setup.mjs')),
  );
}

const all = pages.flatMap((page) => commandsIn(read(page)).map((command): [string, string] => [command, page]));
const unique = [...new Map(all)];

it('builds before each script that uses what the build makes', () => {
  expect(unbuilt('').toSorted()).toEqual(Object.keys(WITHOUT_BUILD).toSorted());
  const directories = [...new Set(projects.values())];
  expect(directories.length).toBeGreaterThan(15);
  expect(directories.flatMap((directory) => unbuilt(directory).map((name) => `${directory}: ${name}`))).toEqual([]);
});

describe('a page', () => {
  it.each(unique)('names a command that its program accepts: %s (%s)', (command) => {
    expect(() => check(command)).not.toThrow();
  });

  it('finds commands of each script with arguments', () => {
    for (const script of Object.keys(ARGUMENTS))
      expect(unique.filter(([command]) => words(command).includes(script))).not.toEqual([]);
    expect(unique.filter(([command]) => command.startsWith('npx nx g')).length).toBeGreaterThan(2);
    expect(unique.filter(([command]) => command.startsWith('node ')).length).toBeGreaterThan(2);
  });

  it.each([
    ['npm run nothing', 'no script nothing'],
    ['npm run bench -- members', 'no suite members'],
    ['npm run bench -- --speed 1', 'speed'],
    ['npm run test:long -- images2', 'no proof images2'],
    ['npm run test:long -- stress none', 'no project none'],
    ['npm start -- --replica auth=2', '--replica is an unknown option'],
    ['npm run dev -- none', 'no such service'],
    ['npm run openapi -w @lyceum/none', 'no project'],
    ['npx nx test none', 'no project none'],
    ['npx nx run-many -t typecheck nothing -p auth', 'no script nothing'],
    ['npx nx g @lyceum/nx:none x', 'no generator none'],
    ['node test/none.ts', 'no file test/none.ts'],
    ['node app/bundle/main.js', 'no command'],
  ])('refuses %s', (command, reason) => {
    expect(() => check(command)).toThrow(reason);
  });

  it('finds commands in spans and blocks', () => {
    const block = ['```sh', 'npm start   # the stack', 'node a.js \\', '  --b', 'curl x', '```', ''].join('\n');
    expect(commandsIn(`Run \`npm test\` or \`npm\`.\n${block}`)).toEqual(['npm start', 'node a.js --b', 'npm test']);
  });
});
