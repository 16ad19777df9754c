import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const DIST = join(__dirname, '../dist');

/** The stack trace of an error that passes through built code, as a service with source maps shows it. */
function stackOf(expression: string): string {
  const script = `import { SingleFlight } from '${DIST}/index.js';
    process.stdout.write(await (async () => ${expression})().catch((error) => error.stack));`;
  const flags = [`--import=${DIST}/source-maps.js`, '--input-type=module'];
  return execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' });
}

const FAIL = `new SingleFlight().run('key', () => { throw new TypeError('the $& fault'); })`;

describe('a stack trace of a service', () => {
  it('shows the lines of the TypeScript sources', () => {
    const stack = stackOf(FAIL);
    expect(stack).toMatch(/^TypeError: the \$& fault\n {4}at /);
    expect(stack).toMatch(new RegExp(`at .*${join(__dirname, '../src/process/single-flight.ts')}:\\d+:\\d+`));
    expect(stack).not.toContain('dist/process/single-flight.js');
  });

  it('shows the built lines of a file without a map', () => {
    expect(stackOf(`import('data:text/javascript,throw new Error(1)')`)).toMatch(
      /^Error: 1\n {4}at data:text\/javascript/,
    );
  });
});
