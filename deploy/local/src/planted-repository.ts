import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { NODE, WORKSPACE } from './workspace.js';

/** A folder that stands for a repository, for tests of the scripts in `setup`. */
export class PlantedRepository {
  readonly root = mkdtempSync(join(tmpdir(), 'lyceum-setup-'));

  write(path: string, content: unknown): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  /** Runs an expression over the scripts of the set-up, as npm runs them: outside of Jest. */
  evaluate<T>(module: 'install' | 'build' | 'servers' | 'start-manifests', expression: string, environment = {}): T {
    const script = `import * as setup from '${join(WORKSPACE, 'deploy/local/setup', module)}.mjs';
    const root = ${JSON.stringify(this.root)};
    console.log(JSON.stringify((await (${expression})) ?? null));`;
    return JSON.parse(
      execFileSync(NODE, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        stdio: 'pipe',
        env: { ...process.env, ...environment },
      }),
    ) as T;
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}
