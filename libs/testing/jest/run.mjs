import { run } from 'jest';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs Jest in the package of the working directory. Below Nx the results are the output of the target, so that a
 * cached run has them too: `test-browser` of a package writes `<package>-browser.json`. A whole run reads the progress
 * of all packages from one file.
 */
const root = dirname(dirname(dirname(import.meta.dirname)));
const {
  NX_TASK_TARGET_PROJECT: project,
  NX_TASK_TARGET_TARGET: target = 'test',
  LYCEUM_TEST_PROGRESS: progress,
} = process.env;
const more = [];
if (project) {
  const results = join(root, '.lyceum/tests', `${project}${target.replace(/^test/, '')}.json`);
  mkdirSync(dirname(results), { recursive: true });
  more.push('--json', `--outputFile=${results}`);
}
if (progress) more.push('--reporters=default', `--reporters=${join(import.meta.dirname, 'progress.mjs')}`);
// Jest starts its workers with the arguments of this process.
process.execArgv.push('--import', pathToFileURL(join(import.meta.dirname, 'worker-exit.mjs')).href);
await run([...process.argv.slice(2), ...more]);

/** A process with leftovers of its tests, such as a server, ends as failed after this time. Nx would wait for it. */
const LEFTOVERS_MS = 10_000;
if (!process.argv.some((argument) => argument.startsWith('--watch')))
  setTimeout(() => {
    console.error(`The tests left open: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, LEFTOVERS_MS).unref();
