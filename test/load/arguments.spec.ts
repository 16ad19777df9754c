import { readArguments } from './arguments.ts';

const KNOWN = ['member', 'auth'];

describe('the arguments of the benchmark', () => {
  it('defaults to every suite', () => {
    expect(readArguments([], KNOWN)).toMatchObject({ suites: KNOWN, rounds: 5, seconds: 5, profile: false });
  });
  it('chooses suites, each once', () => {
    expect(readArguments(['auth', 'auth', '--rounds', '2'], KNOWN)).toMatchObject({ suites: ['auth'], rounds: 2 });
  });
  it('names the file of the results', () => {
    expect(readArguments(['--output', '/tmp/results.json'], KNOWN)).toMatchObject({ output: '/tmp/results.json' });
  });
  it.each([
    [['tools'], 'no suite tools: there are member, auth'],
    [['--rounds', '0'], '--rounds must be a whole number from 1 to 100'],
    [['--rounds', '101'], '--rounds must be'],
    [['--seconds', '1.5'], '--seconds must be'],
    [['--tokens', '999'], '--tokens must be'],
    [['--rows', '24999'], '--rows must be a whole number from 25000 to'],
    [['--speed', '1'], 'speed'],
  ])('refuses the arguments %j', (argv, message) => {
    expect(() => readArguments(argv, KNOWN)).toThrow(message);
  });
});
