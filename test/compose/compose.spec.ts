import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES } from '@lyceum/contracts';
import { LOCALE } from '@lyceum/local';
import { Ajv } from 'ajv';
import { composeFile, ROOT, type Container } from './compose-file.js';

const { services, volumes } = composeFile();
const containers = Object.entries(services);
const schema = JSON.parse(readFileSync(join(__dirname, 'schema/compose-spec.json'), 'utf8')) as object;
const validate = new Ajv({ strict: false, validateFormats: false }).compile({ ...schema, $schema: undefined });

/** The source of a volume that is no folder of the repository. */
const volumesOf = ({ volumes: mounted = [] }: Container): string[] =>
  mounted.map((mount) => mount.split(':')[0]!).filter((source) => !source.startsWith('.'));

describe('docker/compose.yaml', () => {
  it('keeps to the schema of the Compose Specification', () => {
    expect(validate(composeFile()) ? [] : validate.errors).toEqual([]);
  });

  it.each([
    ['an unknown member of a container', { services: { auth: { imag: 'auth' } } }],
    ['a dependency with an unknown condition', { services: { a: { depends_on: { b: { condition: 'ready' } } } } }],
    ['a port that is a list', { services: { auth: { image: 'auth', ports: [['80']] } } }],
  ])('refuses, by the schema, %s', (_case, planted) => {
    expect(validate(planted)).toBe(false);
  });

  it('starts each container after those that it needs, which the file declares before it', () => {
    const names = containers.map(([name]) => name);
    for (const [name, { depends_on = {} }] of containers) {
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        expect(names.slice(0, names.indexOf(name))).toContain(needed);
        const { healthcheck } = services[needed]!;
        expect([name, needed, condition]).toEqual([
          name,
          needed,
          healthcheck === undefined ? 'service_completed_successfully' : 'service_healthy',
        ]);
      }
    }
  });

  it('declares every volume that a container mounts, and no other', () => {
    const mounted = new Set(containers.flatMap(([, container]) => volumesOf(container)));
    expect(Object.keys(volumes).toSorted()).toEqual([...mounted].toSorted());
  });

  it('publishes the edge alone, on the loopback address', () => {
    const published = containers.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([['edge', '127.0.0.1:8080:8080']]);
  });

  it('runs read-only without capabilities, except for PostgreSQL', () => {
    const soft = containers.filter(([, { read_only, cap_drop }]) => read_only !== true || cap_drop?.join() !== 'ALL');
    expect(soft.map(([name]) => name)).toEqual(['postgres']);
    for (const [, { security_opt }] of containers) expect(security_opt).toEqual(['no-new-privileges:true']);
  });

  it('makes databases that fold and order text as those of the local stack', () => {
    expect(services['postgres']?.environment).toMatchObject({ POSTGRES_INITDB_ARGS: LOCALE });
  });

  it('names a version of each image that others build', () => {
    const foreign = containers.filter(([, { build }]) => build === undefined).map(([, { image }]) => image);
    expect(foreign).toHaveLength(3);
    for (const image of foreign) expect(image).toMatch(/^\w+:\d+(\.\d+)?-\w+$/);
  });

  it('builds each service with the recipe of the images', () => {
    for (const name of SERVICES) {
      expect(services[name]).toMatchObject({
        image: `lyceum-${name}:local`,
        build: { dockerfile: 'docker/Dockerfile', args: { APP: name } },
        command: ['serve'],
      });
    }
  });

  it('shows a container no secret of another', () => {
    const ofAll = containers.filter(([, container]) => volumesOf(container).includes('secrets')).map(([name]) => name);
    expect(ofAll).toEqual(['prepare', 'databases', 'demo']);
    for (const [name, container] of containers.filter(([one]) => one !== 'prepare')) {
      const own = volumesOf(container).filter((volume) => volume.endsWith('-secrets'));
      expect(own).toEqual(own.length === 0 ? [] : [`${name.replace('-migrate', '')}-secrets`]);
    }
  });
});

describe('the environments of the services', () => {
  const secrets = mkdtempSync(join(tmpdir(), 'lyceum-compose-secrets-'));
  afterAll(() => rmSync(secrets, { recursive: true }));

  beforeAll(() => {
    const { environment } = services['prepare']!;
    execFileSync(process.execPath, [join(ROOT, 'deploy/local/dist/compose/main.js'), 'prepare'], {
      env: { ...environment, SECRETS: secrets, FOLDERS: join(secrets, 'data') },
    });
  });

  interface Reading {
    readonly faults: readonly string[];
    readonly unknown: readonly string[];
  }

  /** Reads environments as the service does. Returns the errors of each, and the variables that the service ignores. */
  function read(name: string, ...environments: Readonly<Record<string, string>>[]): Reading[] {
    const [file, member] = name === 'auth' ? ['auth.environment', 'authEnvironment'] : ['configuration', 'environment'];
    const script = `import { ${member} as schema } from '${ROOT}/apps/${name}/dist/${file}.js';
      import { readConfiguration } from '${ROOT}/libs/platform/dist/index.js';
      const readings = ${JSON.stringify(environments)}.map((given) => {
        let faults = [];
        try { readConfiguration(schema, given); } catch (error) { faults = error.faults; }
        const unknown = Object.keys(given).filter((name) => !(name.replace(/_FILE$/, '') in schema.shape));
        return { faults, unknown };
      });
      console.log(JSON.stringify(readings));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    return JSON.parse(printed) as Reading[];
  }

  const environmentOf = (name: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(services[name]!.environment!).map(([variable, value]) => [
        variable,
        value.replace('/run/secrets/lyceum', join(secrets, name)),
      ]),
    );

  it.each(SERVICES)('supplies every variable that %s requires, and none that it does not know', (name) => {
    // Node and its libraries read this one.
    const { NODE_ENV, ...environment } = environmentOf(name);
    expect(NODE_ENV).toBe('production');
    // The second environment has an error of each kind.
    const planted = { ...environment, NATS_URL: '', PLANTED: '1' };
    expect(read(name, environment, planted)).toEqual([
      { faults: [], unknown: [] },
      { faults: ['NATS_URL: is required'], unknown: ['PLANTED'] },
    ]);
  });

  it.each(SERVICES.filter((name) => name !== 'mcp-gateway'))(
    'gives the migration of %s the variables of the service',
    (name) => {
      expect(services[`${name}-migrate`]!.environment).toEqual(services[name]!.environment);
    },
  );

  it('keeps secrets out of the file', () => {
    for (const [name, { environment = {} }] of containers) {
      const values = Object.keys(environment).filter((variable) => /PASSWORD|SECRET|KEY|DATABASE_URL/.test(variable));
      expect([name, values.filter((variable) => !/_FILE$|^SECRETS$/.test(variable))]).toEqual([name, []]);
    }
  });
});
