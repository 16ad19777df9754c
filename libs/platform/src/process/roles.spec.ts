import { parseRole } from './roles.js';

describe('the arguments of serve', () => {
  it.each<[string[], string | undefined]>([
    [[], undefined],
    [['--role=http'], 'http'],
    [['--role=jobs'], 'background'],
  ])('reads the role of %j', (args, role) => {
    expect(parseRole(args, 'jobs')).toBe(role);
  });

  it.each([
    [['--role=consumers'], 'jobs', 'serve takes --role=http or --role=jobs'],
    [['--role=http', '--role=jobs'], 'jobs', 'serve takes --role=http or --role=jobs'],
    [['--port=1'], 'jobs', 'serve takes --role=http or --role=jobs'],
    [['--role=http'], undefined, 'serve takes no options'],
  ])('refuses %j', (args, background, error) => {
    expect(() => parseRole(args, background)).toThrow(error);
  });
});
