import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Breakable, SharedStack } from './shared-stack.ts';

interface Results {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

interface Fake extends Breakable {
  readonly name: string;
}

/** A shared stack, what happened to its stacks in order, and the number of failed tests. */
function recorded() {
  const steps: string[] = [];
  const state = { failures: 0, intact: true, stops: true };
  let started = 0;
  const shared = new SharedStack<Fake>(
    async () => {
      const name = String((started += 1));
      steps.push(`start ${name}`);
      return {
        name,
        checkIntact: async () => {
          steps.push(`check ${name}`);
          if (!state.intact) throw new Error('Stopped: auth');
        },
        stop: async () => {
          steps.push(`stop ${name}`);
          if (!state.stops) throw new Error('stuck');
        },
      };
    },
    () => state.failures,
  );
  return { shared, steps, state };
}

describe('a stack that scenarios share', () => {
  it('starts once for scenarios that pass and give it back', async () => {
    const { shared, steps } = recorded();
    for (const _scenario of [1, 2, 3]) {
      expect((await shared.take()).name).toBe('1');
      await shared.giveBack();
    }
    expect(steps).toEqual(['start 1', 'check 1', 'check 1', 'check 1']);
  });

  it('fails the scenario that leaves something behind, and starts another stack for the next one', async () => {
    const { shared, steps, state } = recorded();
    await shared.take();
    state.intact = false;
    await expect(shared.giveBack()).rejects.toThrow('Stopped: auth');
    expect((await shared.take()).name).toBe('2');
    expect(steps).toEqual(['start 1', 'check 1', 'stop 1', 'start 2']);
  });

  it('starts another stack after a scenario that failed, also when the check finds nothing', async () => {
    const { shared, state } = recorded();
    await shared.take();
    state.failures = 1;
    await shared.giveBack();
    expect((await shared.take()).name).toBe('2');
    await shared.giveBack();
    expect((await shared.take()).name).toBe('2');
  });

  it('starts another stack after a scenario that gave nothing back', async () => {
    const { shared } = recorded();
    await shared.take();
    expect((await shared.take()).name).toBe('2');
  });

  it('goes on when a broken stack does not stop', async () => {
    const { shared, steps, state } = recorded();
    await shared.take();
    state.stops = false;
    expect((await shared.take()).name).toBe('2');
    expect(steps).toEqual(['start 1', 'stop 1', 'start 2']);
  });

  it('refuses to take back what no scenario has', async () => {
    await expect(recorded().shared.giveBack()).rejects.toThrow('No scenario');
  });

  it('stops the last stack once', async () => {
    const { shared, steps } = recorded();
    await shared.take();
    await shared.stop();
    await shared.stop();
    expect(steps).toEqual(['start 1', 'stop 1']);
  });
});

/** Scenarios of which the second one fails, the fourth one leaves damage, and the sixth one cannot begin. */
const PLANTED = `
  import { SharedStack } from ${JSON.stringify(join(__dirname, 'shared-stack.ts'))};

  let started = 0;
  const shared = new SharedStack(async () => {
    const stack = { name: String((started += 1)), broken: false, stop: async () => {} };
    return { ...stack, checkIntact: async function () { if (this.broken) throw new Error('Stopped: auth'); } };
  });
  const scenario = (title, name, { prepare = () => {}, test = () => {} } = {}) =>
    describe(title, () => {
      let stack;
      beforeAll(async () => {
        stack = await shared.take();
        prepare();
      });
      it('uses stack ' + name, () => {
        expect(stack.name).toBe(name);
        test(stack);
      });
      it('leaves the stack as it was', () => expect(shared.giveBack()).resolves.toBeUndefined());
    });
  const fail = () => { throw new Error('planted'); };

  scenario('first', '1');
  scenario('failing', '1', { test: fail });
  scenario('third', '2');
  scenario('damaging', '2', { test: (stack) => (stack.broken = true) });
  scenario('fifth', '3');
  scenario('unprepared', '3', { prepare: fail });
  scenario('seventh', '4');
`;

describe('scenarios of one file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-scenarios-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('fails the scenario at fault alone, and gives the next one another stack', async () => {
    const root = join(__dirname, '../..');
    writeFileSync(join(folder, 'planted.spec.ts'), PLANTED);
    writeFileSync(
      join(folder, 'jest.config.mjs'),
      `import preset from ${JSON.stringify(join(root, 'jest.preset.mjs'))};
       import { builtModules } from ${JSON.stringify(join(root, 'libs/testing/jest.mjs'))};
       const { testEnvironment, transform } = builtModules(preset);
       export default { ...preset, testEnvironment, transform, testMatch: ['**/*.spec.ts'] };`,
    );
    const results = join(folder, 'results.json');
    const configuration = ['--rootDir', folder, '--config', join(folder, 'jest.config.mjs')];
    const jest = [join(root, 'node_modules/.bin/jest'), '--ci', '--json', `--outputFile=${results}`, ...configuration];
    const args = ['--experimental-vm-modules', ...jest];
    await promisify(execFile)('node', args, { cwd: join(root, 'test') }).catch(() => 'failed');
    const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as Results;
    const assertions = testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(assertions).toHaveLength(14);
    expect(assertions.flatMap(({ fullName, status }) => (status === 'passed' ? [] : [fullName]))).toEqual([
      'failing uses stack 1',
      'damaging leaves the stack as it was',
      'unprepared uses stack 3',
      'unprepared leaves the stack as it was',
    ]);
  });
});
