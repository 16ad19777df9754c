import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { WORKSPACE } from '@lyceum/local';
import { NOT_ROTATED, Rotation } from './rotation.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-rotation-'));
afterAll(() => rmSync(directory, { recursive: true }));

const rotation = new Rotation(directory);
const stack = { databaseUrl: (name: string) => `postgres://${name}:a-password@127.0.0.1:5432/${name}` };
const PAGE = readFileSync(join(WORKSPACE, 'docs/operate/rotation.md'), 'utf8');

/** The variables that a deployment mounts as files. */
function secretsOf(service: ServiceName): string[] {
  const settings = readFileSync(join(WORKSPACE, 'deploy/kubernetes/base', service, `${service}.env`), 'utf8');
  return [...settings.matchAll(/^(\w+)_FILE=/gm)].map(([, name]) => name!);
}

describe('the rotation of the local stack', () => {
  it.each(SERVICES)('gives each secret of %s a new value, or names the reason why not', (service) => {
    const secrets = secretsOf(service);
    const old = rotation.variables('add')[service];
    const young = rotation.variables('remove', stack)[service];
    const left = secrets.filter((name) => young[name] === undefined || young[name] === old[name]);
    expect(secrets).toEqual(expect.arrayContaining(['NATS_PASSWORD']));
    expect(left).toEqual(secrets.filter((name) => name in NOT_ROTATED));
  });

  it('leaves out no secret that a service has no more', () => {
    const secrets = new Set(SERVICES.flatMap(secretsOf));
    expect(Object.keys(NOT_ROTATED).filter((name) => !secrets.has(name))).toEqual([]);
  });

  it.each(SERVICES)('accepts the old value of each list of %s until the end', (service) => {
    const [add, change, remove] = (['add', 'switch', 'remove'] as const).map((phase) => rotation.variables(phase));
    const lists = Object.keys(add![service]).filter((name) => name !== 'RESOURCE_SERVERS');
    expect(lists.length).toBeGreaterThan(0);
    for (const name of lists) {
      const [old, young, ...others] = add![service][name]!.split(',');
      expect(others).toEqual([]);
      expect(young).not.toBe(old);
      expect(change![service][name]).toBe(`${young},${old}`);
      expect(remove![service][name]).toBe(young);
    }
  });

  it('stands on the page of operators with each secret', () => {
    const names = SERVICES.flatMap(secretsOf);
    expect(names.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
  });
});
