import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { WORKSPACE } from '@lyceum/local';
import { readGolden, workloads } from '../manifests/objects.js';
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

describe('docs/operate/rotation.md', () => {
  const prod = readGolden('prod');
  const owners = prod
    .of<{ spec: { bootstrap: { initdb: { owner: string } } } }>('Cluster')
    .map(({ spec }) => spec.bootstrap.initdb.owner);
  const section = (heading: string): string =>
    PAGE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';

  it('names the owner of each database, and adds a login to one of them', () => {
    const roles = [...section('Databases').matchAll(/\b(?:create|alter|in) role (\w+)/g)].map(([, name]) =>
      name!.replace(/_2$/, ''),
    );
    expect(roles.length).toBeGreaterThan(3);
    expect(roles.filter((name) => !owners.includes(name))).toEqual([]);
    expect(owners.filter((name) => !section('Databases').includes(`\`${name}\` in `))).toEqual([]);
  });

  it('names Secrets of databases that the pods of prod mount', () => {
    const mounted = workloads(prod).flatMap(({ pod }) =>
      (pod.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []),
    );
    const named = [...PAGE.matchAll(/\b[\w-]+-db-app\b/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !mounted.includes(name))).toEqual([]);
  });

  it('reads the store again before each restart, and ends the restart before the next change', () => {
    const commands = [
      'annotate externalsecret <name> force-sync=',
      'rollout restart deploy/',
      'rollout status deploy/',
    ];
    const places = commands.map((command) => PAGE.indexOf(`kubectl -n lyceum ${command}`));
    expect(places.filter((place) => place < 0)).toEqual([]);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    const steps = [...PAGE.matchAll(/^\d\. \*\*(?:Add|Switch|Remove)\*\*.*$/gm)].map(([line]) => line);
    expect(steps).toHaveLength(3);
    expect(steps.filter((line) => !/bring it to the pods/i.test(line))).toEqual([]);
  });

  it('reloads NATS by the file of its process, and reads users by a restart where their ConfigMap changes its name', () => {
    const nats = readFileSync(join(WORKSPACE, 'deploy/kubernetes/components/nats/nats.conf'), 'utf8');
    const [, pidFile] = /^pid_file: (\S+)$/m.exec(nats)!;
    expect(section('NATS')).toContain(`--signal reload=${pidFile}`);
    expect(prod.all.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'nats')).toEqual([]);
    expect(section('NATS')).toContain('rollout status statefulset/nats');
  });
});
