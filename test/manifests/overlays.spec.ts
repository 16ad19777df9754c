import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './generated.ts';
import { readGolden } from './objects.ts';
import type { Manifests } from './objects.ts';

/** Paths at which prod and staging differ: names of the installation, its size and its images. */
const OWN = [
  /^\S+ \/metadata\/namespace$/,
  /^Namespace\/lyceum \/metadata\/name$/,
  /^ConfigMap\/(?:platform|auth|admin-api|member-api) \/data\/(?:TRUSTED_PROXIES|MAIL_FROM|DEVELOPER_INFO_URL|S3_BUCKET)$/,
  /^\S+ \S*\/containers\/0\/image$/,
  /^Cluster\/\S+ \/spec\/imageName$/,
  /^HorizontalPodAutoscaler\/\S+ \/spec\/m(?:in|ax)Replicas$/,
  /^ListenerSet\/sites \/spec\/listeners(?:\/|$)/,
  /^Cluster\/\S+ \/spec\/(?:storage|walStorage)\/size$/,
  /^ObjectStore\/backups \/spec\/configuration\/destinationPath$/,
  /^ScaledObject\/\S+ \/spec\/triggers\/\d+\/metadata\/natsServerMonitoringEndpoint$/,
  /^PrometheusRule\/alerts \/spec\/groups\/0\/rules\/0\/labels\/namespace$/,
];

/** A ConfigMap has the hash of its content in its name, and so have references to it: ten of these characters. */
const withoutHash = (text: string): string => text.replace(/^([a-z-]+)-[2-9bcdfghkmt]{10}$/, '$1');

function leaves(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) {
    return [[path, typeof value === 'string' ? withoutHash(value) : value]];
  }
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key.replaceAll('/', '~1')}`));
}

function valuesOf(manifests: Manifests): Map<string, unknown> {
  return new Map(
    manifests.all.flatMap((object) => {
      const name = object.kind === 'Namespace' ? 'lyceum' : withoutHash(object.metadata.name);
      return leaves(object, `${object.kind}/${name} `);
    }),
  );
}

function differences(one: Manifests, other: Manifests): string[] {
  const [ours, theirs] = [valuesOf(one), valuesOf(other)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].filter((path) => ours.get(path) !== theirs.get(path));
}

describe('staging and prod', () => {
  const [staging, prod] = [readGolden('staging'), readGolden('prod')];
  const foreign = (paths: string[]) => paths.filter((path) => !OWN.some((own) => own.test(path)));

  it('differs only in names, size and images', () => {
    const found = differences(staging, prod);
    expect(OWN.filter((own) => !found.some((path) => own.test(path)))).toEqual([]);
    expect(foreign(found)).toEqual([]);
  });

  it('finds a difference in any value', () => {
    const changed = staging.copy();
    changed.get<{ spec: { serviceName: string } }>('StatefulSet', 'nats').spec.serviceName = 'other';
    expect(foreign(differences(changed, prod))).toEqual(['StatefulSet/nats /spec/serviceName']);
  });
});

it('lists each variable that prod sets in docs/operate/kubernetes.md', () => {
  const overlay = readFileSync(join(ROOT, 'deploy/kubernetes/overlays/prod/kustomization.yaml'), 'utf8');
  const { configMapGenerator: maps } = parse(overlay) as {
    configMapGenerator: readonly { name: string; literals: readonly string[] }[];
  };
  const rows = readFileSync(join(ROOT, 'docs/operate/kubernetes.md'), 'utf8').split('\n');
  const isListed = (map: string, variable: string): boolean =>
    rows.some((row) => row.includes(`\`configMapGenerator\`, \`${map}\``) && row.includes(`\`${variable}\``));
  const set = maps.flatMap(({ name, literals }) => literals.map((one) => [name, one.split('=')[0]!] as const));
  expect(set).toContainEqual(['member-api', 'MAIL_FROM']);
  expect(set.filter(([map, variable]) => !isListed(map, variable))).toEqual([]);
});
