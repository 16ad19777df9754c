import { readArguments } from './arguments.ts';

const KNOWN = ['member', 'events', 'auth', 'plots'];

describe('the arguments of the benchmark', () => {
  it('defaults to short rounds of the main ratios', () => {
    const main = { suites: ['member', 'auth'], part: 'main', rounds: 3, seconds: 2, profile: false };
    expect(readArguments([], KNOWN)).toMatchObject(main);
    expect(readArguments(['--seconds', '4'], KNOWN)).toMatchObject({ ...main, seconds: 4 });
  });
  it('takes the rest of every suite with --long', () => {
    expect(readArguments(['--long'], KNOWN)).toMatchObject({
      suites: ['member', 'events', 'auth'],
      part: 'rest',
      rounds: 5,
      seconds: 5,
    });
  });
  it('takes all rows of a named suite', () => {
    expect(readArguments(['auth'], KNOWN)).toMatchObject({ suites: ['auth'], part: 'all', rounds: 5, seconds: 5 });
  });
  it('chooses suites, each once', () => {
    expect(readArguments(['auth', 'auth', '--rounds', '2'], KNOWN)).toMatchObject({ suites: ['auth'], rounds: 2 });
  });
  it('names the file of the results', () => {
    expect(readArguments(['--output', '/tmp/results.json'], KNOWN)).toMatchObject({ output: '/tmp/results.json' });
  });
  it.each([
    [['tools'], 'no suite tools: there are member, events, auth, plots'],
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
