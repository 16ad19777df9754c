import { runCommand } from '@lyceum/local';
import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type Instruction, pairsOf, type Stage, stagesOf, wordsOf } from './dockerfile.ts';
import { link, linkPackages } from './links.ts';

export const ROOT = join(import.meta.dirname, '../..');
export const DOCKERFILE = readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8');

/** Instructions that only describe the image. */
const METADATA = new Set(['EXPOSE', 'LABEL', 'USER']);

/** The result of the instructions of a stage, in a folder that stands for `/`. */
export interface Made {
  readonly root: string;
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
}

/** Texts of files of the repository, changed for a test. */
export type Changes = Readonly<Record<string, (text: string) => string>>;

type State = { -readonly [Member in keyof Made]: Made[Member] };

/**
 * Runs the instructions of docker/Dockerfile without containers: each stage in a folder of its own, its commands with
 * the programs of this machine. Commands whose work `npm test` has done already are not repeated here:
 *
 * - `npm ci` with development dependencies: the stage gets a link to the installed packages, of the same lockfile.
 * - `npm ci --omit=dev`: npm checks the lockfile and names the packages, and the stage gets links to these.
 * - `nx run-many -t build`: Nx lists the packages that the command builds, and the stage gets the `dist` of these.
 */
export class Workshop {
  private readonly made = new Map<string, Promise<Made>>();
  private readonly stages: readonly Stage[];
  private readonly ignored: ReadonlySet<string>;
  private readonly directory: string;
  private readonly changes: Changes;
  private readonly installs: boolean;

  /** `installs`: repeats `npm ci --omit=dev`, too, as `npm run test:long -- install` does. */
  constructor(directory: string, recipe: string = DOCKERFILE, changes: Changes = {}, installs = false) {
    this.directory = directory;
    this.changes = changes;
    this.installs = installs;
    this.stages = stagesOf(recipe);
    this.ignored = ignoredNames(readFileSync(join(ROOT, '.dockerignore'), 'utf8'));
  }

  /** A stage for a service. Services share the stages that do not know them, as the layers of their images. */
  make(app: string, name = 'image'): Promise<Made> {
    const stage = this.stages.find((one) => one.name === name);
    if (stage === undefined) throw new Error(`docker/Dockerfile has no stage ${name}`);
    const key = this.knowsApp(stage) ? `${name}-${app}` : name;
    const made = this.made.get(key) ?? this.run(stage, app, join(this.directory, key));
    this.made.set(key, made);
    return made;
  }

  /** True when the stage, or one that it takes files from, has the argument. */
  private knowsApp({ base, instructions }: Stage): boolean {
    const sources = instructions.map(({ text }) => /^--from=(\S+)/.exec(text)?.[1]);
    const others = this.stages.filter(({ name }) => name === base || sources.includes(name));
    return (
      instructions.some(({ word, text }) => word === 'ARG' && text === 'APP') ||
      others.some((one) => this.knowsApp(one))
    );
  }

  private async run(stage: Stage, app: string, root: string): Promise<Made> {
    const inherits = this.stages.some(({ name }) => name === stage.base);
    const base = inherits ? await this.make(app, stage.base) : undefined;
    const state: State = {
      root,
      workdir: base?.workdir ?? '/',
      environment: base?.environment ?? {},
      entrypoint: [],
      command: [],
    };
    mkdirSync(root, { recursive: true });
    if (base) link(base.root, root);
    for (const instruction of stage.instructions) await this.follow(instruction, state, app);
    return state;
  }

  private async follow({ word, text: written }: Instruction, state: State, app: string): Promise<void> {
    // The shell of a RUN expands it on its own.
    const text = written.replaceAll('${APP}', app);
    if (word === 'WORKDIR') {
      state.workdir = resolve(state.workdir, text);
      mkdirSync(inside(state, '.'), { recursive: true });
    } else if (word === 'ENV') state.environment = { ...state.environment, ...pairsOf(text) };
    else if (word === 'ARG') state.environment = { ...state.environment, ...(text === 'APP' ? { APP: app } : {}) };
    else if (word === 'COPY') await this.copy(text, state, app);
    else if (word === 'RUN') await this.execute(text.replace(/--mount=\S+\s+/g, ''), state);
    else if (word === 'ENTRYPOINT') state.entrypoint = wordsOf(text);
    else if (word === 'CMD') state.command = wordsOf(text);
    else if (!METADATA.has(word)) throw new Error(`The tests do not know the instruction ${word} ${text}`);
  }

  private async copy(text: string, state: State, app: string): Promise<void> {
    const words = text.split(/\s+/);
    const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1];
    const [target = '', ...sources] = words.slice(from === undefined ? 0 : 1).reverse();
    for (const source of sources) {
      const origin = from === undefined ? join(ROOT, source) : join((await this.make(app, from)).root, source);
      const isFolder = statSync(origin).isDirectory();
      const destination = inside(state, isFolder || !target.endsWith('/') ? target : join(target, basename(source)));
      mkdirSync(isFolder ? destination : dirname(destination), { recursive: true });
      if (from === undefined) this.copyContext(origin, destination);
      else link(origin, destination);
    }
  }

  private copyContext(origin: string, destination: string): void {
    cpSync(origin, destination, { recursive: true, filter: (file) => !this.ignored.has(basename(file)) });
    for (const [file, change] of Object.entries(this.changes)) {
      const path = relative(origin, join(ROOT, file));
      if (path.startsWith('..')) continue;
      const copy = join(destination, path);
      const text = readFileSync(copy, 'utf8');
      if (change(text) === text) throw new Error(`The change of ${file} has no effect`);
      writeFileSync(copy, change(text));
    }
  }

  private async execute(command: string, state: State): Promise<void> {
    if (/^npm ci (?!.*--omit=dev)/.test(command))
      return symlinkSync(join(ROOT, 'node_modules'), inside(state, 'node_modules'));
    if (command.startsWith('npm ci ') && !this.installs) {
      const named = await shell(`${command} --dry-run --loglevel=silly 2>&1`, state);
      return linkPackages(named, ROOT, inside(state, '.'));
    }
    if (!command.startsWith('npx nx run-many ')) return void (await shell(command, state));
    const listed = OUTPUTS.get(command) ?? outputsOf(command, state);
    OUTPUTS.set(command, listed);
    for (const output of await listed) link(join(ROOT, output), inside(state, output));
  }
}

/** The outputs of a build, by its command. Nx lists the same for a workshop with changed files or a changed recipe. */
const OUTPUTS = new Map<string, Promise<readonly string[]>>();

async function outputsOf(command: string, state: State): Promise<readonly string[]> {
  const file = join(state.root, 'build.json');
  await shell(`${command} --graph='${file}'`, state);
  const { tasks } = (JSON.parse(readFileSync(file, 'utf8')) as TaskGraph).tasks;
  const outputs = Object.values(tasks).flatMap((task) => task.outputs);
  if (outputs.length === 0) throw new Error(`${command} builds nothing`);
  return outputs;
}

interface TaskGraph {
  readonly tasks: { readonly tasks: Readonly<Record<string, { readonly outputs: readonly string[] }>> };
}

/** A path of the stage on this machine. */
function inside({ root, workdir }: Pick<Made, 'root' | 'workdir'>, path: string): string {
  return join(root, resolve(workdir, path));
}

/** npm reads its settings from these. The others of an outer `npm test` are about another folder. */
const PASSED = /^(?:npm_config_(?:cache|registry|userconfig|cafile)|(?:https?|no)_proxy)$/i;

function shell(command: string, state: State): Promise<string> {
  const passed = Object.entries(process.env).filter(([name]) => PASSED.test(name)) as [string, string][];
  return runCommand({
    name: command,
    command: ['sh', '-c', command],
    cwd: inside(state, '.'),
    environment: {
      ...Object.fromEntries(passed),
      ...state.environment,
      npm_config_prefer_offline: 'true',
      // Nx loads its plugins in this process, not in one for each.
      NX_ISOLATE_PLUGINS: 'false',
      PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`,
    },
  });
}

function ignoredNames(text: string): ReadonlySet<string> {
  const names = text
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/^\*\*\//, ''));
  const complex = names.find((name) => /[*!/]/.test(name));
  if (complex !== undefined) throw new Error(`The tests do not know the pattern ${complex} of .dockerignore`);
  return new Set(names);
}
