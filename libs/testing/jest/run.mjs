import { run } from 'jest';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Jest in the package of the working directory. Its results are kept, so that the whole run can add them up. */
const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
const results = join(import.meta.dirname, '../../../.lyceum/test-results', `${name}.json`);
mkdirSync(dirname(results), { recursive: true });
await run([...process.argv.slice(2), '--json', `--outputFile=${results}`]);
