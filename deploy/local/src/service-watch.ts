import { existsSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { compile, dropStaleBundles, stalePackages, usedPackages } from '../setup/build.mjs';

export interface ServiceWatchOptions {
  /** The root of the repository. */
  readonly root: string;
  /** The package of the service. */
  readonly service: string;
  /** Called after the packages with changes are built. */
  readonly restart: (files: readonly string[]) => Promise<void>;
  readonly say: (text: string) => void;
}

/** An editor writes several files at once: they lead to one restart. */
const PAUSE_MS = 100;

/** Builds what changed and restarts a service, on each change of its sources or of the libs that it depends on. */
export class ServiceWatch {
  readonly #options: ServiceWatchOptions;
  readonly #packages: ReadonlyMap<string, string>;
  readonly #watchers: FSWatcher[];
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> | undefined;
  #stopped = false;

  constructor(options: ServiceWatchOptions) {
    this.#options = options;
    this.#packages = usedPackages(options.root, options.service);
    this.#watchers = [...this.#packages.values()].flatMap((directory) =>
      ['src', 'assets'].map((name) => join(directory, name)).flatMap((folder) => this.#watch(folder)),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    await this.#work;
  }

  #watch(folder: string): FSWatcher[] {
    const path = join(this.#options.root, folder);
    if (!existsSync(path)) return [];
    const watcher = watch(path, { recursive: true }, (_event, file) => this.#note(join(folder, file ?? '')));
    // A folder that an editor or git removes must not end the stack.
    watcher.on('error', (error) => this.#options.say(`${folder} is not watched any more: ${error.message}\n`));
    return [watcher];
  }

  #note(file: string): void {
    if (file.endsWith('.spec.ts')) return;
    this.#changed.add(file);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#work ??= this.#takeAll().finally(() => (this.#work = undefined));
    }, PAUSE_MS);
  }

  async #takeAll(): Promise<void> {
    while (this.#changed.size > 0 && !this.#stopped) {
      const files = [...this.#changed];
      this.#changed.clear();
      try {
        await this.#take(files);
      } catch (error) {
        this.#options.say(`\n${(error as Error).message}\n`);
      }
    }
  }

  async #take(files: readonly string[]): Promise<void> {
    const { root, service, say } = this.#options;
    const stale = stalePackages(root).filter(({ name }) => this.#packages.has(name));
    const assets = files.some((file) => file.includes('/assets/'));
    // The content is what it was: a file was only touched, or written twice.
    if (stale.length === 0 && !assets) return;
    const began = performance.now();
    for (const one of stale) await compile(root, one);
    dropStaleBundles(root);
    await this.#options.restart(files);
    const built = stale.map(({ name }) => name).join(', ');
    say(
      `${service} is ready again after ${((performance.now() - began) / 1_000).toFixed(1)} s (${built || 'assets'})\n`,
    );
  }
}
