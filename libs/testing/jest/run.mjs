import { run } from 'jest';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Jest in the package of the working directory. A whole run asks for the results too, so that it can add them up. */
const directory = process.env.LYCEUM_TEST_RESULTS;
const more = [];
if (directory) {
  const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
  const file = join(directory, `${name}.json`);
  mkdirSync(dirname(file), { recursive: true });
  more.push('--json', `--outputFile=${file}`);
}
await run([...process.argv.slice(2), ...more]);
