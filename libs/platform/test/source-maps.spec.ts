import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

  it('shows the lines of the TypeScript sources from a bundle, and the lines of packages', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lyceum-bundle-'));
    try {
      mkdirSync(join(folder, 'dist'));
      const zod = require.resolve('zod').replace(/index\.cjs$/, 'index.js');
      const failing = `import { SingleFlight } from '${DIST}/process/single-flight.js';
        import { z } from '${zod}';
        const show = (error) => process.stdout.write(error.stack + '\\n');
        const run = async (work) => new SingleFlight().run('key', work);
        await run(() => { throw new TypeError('the first'); }).catch(show);
        await run(() => z.string().transform(() => { throw new TypeError('the second'); }).parse('text')).catch(show);`;
      writeFileSync(join(folder, 'dist/main.js'), failing);
      execFileSync(process.execPath, [join(__dirname, '../../../docker/bundle.mjs'), folder], { stdio: 'pipe' });
      const flags = [`--import=${DIST}/source-maps.js`, join(folder, 'bundle/main.js')];
      const stack = execFileSync(process.execPath, flags, { encoding: 'utf8' });
      const source = join(__dirname, '../src/process/single-flight.ts');
      expect(stack).toMatch(/^TypeError: the first\n {4}at /);
      expect(stack.split(`${source}:`)).toHaveLength(3);
      expect(stack).toMatch(/node_modules\/zod\/[\w/]+\.js:\d+:\d+/);
      expect(stack).toMatch(new RegExp(`${folder}/dist/main\\.js:5:\\d+`));
      expect(stack).not.toContain('bundle/main.js');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('shows the built lines of a file without a map', () => {
    expect(stackOf(`import('data:text/javascript,throw new Error(1)')`)).toMatch(
      /^Error: 1\n {4}at data:text\/javascript/,
    );
  });
});
