import { join } from 'node:path';
import { startOptions } from './start-options.js';
import { WORKSPACE } from './workspace.js';

describe('the options of npm start', () => {
  it('are none: data and facts below .lyceum, the port of last time', () => {
    expect(startOptions([])).toEqual({
      port: undefined,
      data: join(WORKSPACE, '.lyceum/data'),
      facts: join(WORKSPACE, '.lyceum'),
      verbose: false,
      without: [],
      watch: undefined,
    });
  });

  it('put the facts of other data inside of it, so that two stacks do not overwrite each other', () => {
    expect(startOptions(['--data', '/elsewhere'])).toMatchObject({ data: '/elsewhere', facts: '/elsewhere' });
  });

  it('leave out several services', () => {
    expect(startOptions(['--without', 'auth', '--without', 'member-api'])).toMatchObject({
      without: ['auth', 'member-api'],
    });
  });

  it('name the service that npm run dev builds and restarts', () => {
    expect(startOptions(['--watch', 'member-api'])).toMatchObject({ watch: 'member-api' });
  });

  it.each(['1', '65535'])('take port %s', (port) => {
    expect(startOptions(['--port', port])).toMatchObject({ port: Number(port) });
  });

  it.each(['0', '65536', '-1', '80a', ''])('refuse port %p', (port) => {
    expect(() => startOptions([`--port=${port}`])).toThrow(/from 1 to 65535/);
  });

  it('refuse unknown options', () => {
    expect(() => startOptions(['--prot', '1'])).toThrow(/prot/);
    expect(() => startOptions(['--without', 'unknown'])).toThrow(/no such service \(auth, admin-api/);
    expect(() => startOptions(['--watch', 'other-api'])).toThrow(/--watch other-api: no such service/);
    expect(() => startOptions(['--watch'])).toThrow(/watch/);
    expect(() => startOptions(['--watch', 'auth', '--without', 'auth'])).toThrow(/--watch auth.*--without/);
  });
});
