import { partOf, readArguments, scaled } from './arguments.ts';

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
  it('takes the same rows once and small with --brief', () => {
    const brief = { rounds: 1, seconds: 0.5, people: 1_000, tokens: 1_000, rows: 1_000, brief: true };
    expect(readArguments(['--brief'], KNOWN)).toMatchObject({ suites: ['member', 'auth'], part: 'main', ...brief });
    expect(readArguments(['--brief', '--long'], KNOWN)).toMatchObject({ part: 'rest', ...brief });
    expect(readArguments(['--brief', 'auth'], KNOWN)).toMatchObject({ suites: ['auth'], part: 'all', ...brief });
  });
  it('adds all rows of other suites to the main ratios with --also', () => {
    const found = readArguments(['--brief', '--also', 'events', '--also', 'plots'], KNOWN);
    expect(found).toMatchObject({ suites: ['member', 'auth', 'events', 'plots'], part: 'main', brief: true });
    expect(['auth', 'events'].map((suite) => partOf(found, suite))).toEqual(['main', 'all']);
    for (const other of ['member', '--long'])
      expect(() => readArguments(['--also', 'events', other], KNOWN)).toThrow('--also adds suites to the main ratios');
    expect(() => readArguments(['--also', 'tools'], KNOWN)).toThrow('no suite tools');
  });
  it.each([
    [false, 800, 1, 800],
    [true, 800, 1, 8],
    [true, 20, 1, 1],
    [true, 800, 50, 50],
    [true, 30, 50, 30],
  ])('scales the numbers of suites: brief %p, %d, at least %d', (brief, count, least, expected) => {
    expect(scaled({ brief }, count, least)).toBe(expected);
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
