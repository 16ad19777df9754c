/** References between objects: each leads to an object that exists. */
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IService } from 'kubernetes-models/v1/Service';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { containersOf, selects, servers, titleOf, workload, workloads } from '../objects.ts';
import type { KubernetesObject, Manifests, Selector, Workload } from '../objects.ts';
import { scalers } from './availability.ts';
import { SOLVER } from './network.ts';
import type { Rule } from './rule.ts';

export interface Route {
  spec: {
    parentRefs: { kind: string; name: string }[];
    rules: {
      matches: { path: { type: string; value: string } }[];
      backendRefs: { name: string; port: number }[];
      timeouts?: { request?: string };
    }[];
  };
}

interface ExternalSecret {
  spec: { target: { name: string; template?: { data: Record<string, string> } }; data: { secretKey: string }[] };
}

interface ListenerSet {
  spec: { listeners: { tls: { certificateRefs: { name: string }[] } }[] };
}

/** Paths whose responses last as long as their clients: downloads, and streams of events. */
const LONG_RESPONSES: readonly string[] = ['/account', '/files', '/mcp', '/pages'];

const service = (m: Manifests) => m.get<IService>('Service', 'auth');

/** Secrets that an operator writes, with their keys. */
function producedSecrets(m: Manifests): Map<string, readonly string[]> {
  const external = m.of<ExternalSecret>('ExternalSecret').map(({ spec: { target, data } }) => {
    const keys =
      target.template === undefined ? data.map(({ secretKey }) => secretKey) : Object.keys(target.template.data);
    return [target.name, keys] as const;
  });
  // CloudNativePG writes the Secret of the owner of a database, and cert-manager those of annotated listeners.
  const owners = m.of('Cluster').map(({ metadata }) => [`${metadata.name}-app`, ['uri']] as const);
  const certificates = m
    .of<ListenerSet>('ListenerSet')
    .filter(({ metadata }) => metadata.annotations?.['cert-manager.io/cluster-issuer'] !== undefined)
    .flatMap(({ spec }) => spec.listeners)
    .flatMap(({ tls }) => tls.certificateRefs.map(({ name }) => [name, ['tls.crt']] as const));
  return new Map<string, readonly string[]>([...external, ...owners, ...certificates]);
}

function secretsOf({ pod }: Workload): string[] {
  return (pod.volumes ?? []).flatMap(({ secret, projected }) => [
    ...(secret?.secretName === undefined ? [] : [secret.secretName]),
    ...(projected?.sources ?? []).flatMap((source) => source.secret?.name ?? []),
  ]);
}

function configMapsOf(one: Workload): string[] {
  const files = (one.pod.volumes ?? []).flatMap(({ configMap, projected }) => [
    ...(configMap?.name === undefined ? [] : [configMap.name]),
    ...(projected?.sources ?? []).flatMap((source) => source.configMap?.name ?? []),
  ]);
  const variables = containersOf(one).flatMap(({ env = [], envFrom = [] }: IContainer) => [
    ...env.flatMap(({ valueFrom }) => valueFrom?.configMapKeyRef?.name ?? []),
    ...envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? []),
  ]);
  return [...files, ...variables];
}

/** Secrets that objects other than pods read. */
function backupSecrets(m: Manifests): { title: string; name: string }[] {
  return m
    .of<{ spec: { configuration: { s3Credentials: Record<string, { name: string }> } } }>('ObjectStore')
    .flatMap((object) =>
      Object.values(object.spec.configuration.s3Credentials).map(({ name }) => ({ title: titleOf(object), name })),
    );
}

/** The pods of `step` in docs/operate/restore.md: those of a service, with a component of their own. */
export const stepLabels = (service: string): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/name': service,
  'app.kubernetes.io/component': 'step',
  'app.kubernetes.io/part-of': 'lyceum',
});

/** Pods of this namespace that a selector selects: those of the manifests, and those that others create beside them. */
function isSelected(m: Manifests, selector: Selector): boolean {
  const databases = m.of('Cluster').map(({ metadata }) => ({ 'cnpg.io/cluster': metadata.name }));
  const others = [...databases, SOLVER, stepLabels('auth')];
  return [...workloads(m).map(({ labels }) => labels), ...others].some((labels) => selects(selector, labels));
}

const podsOf = (m: Manifests, { spec }: IService): Workload[] =>
  servers(m).filter(({ labels }) => selects({ matchLabels: spec?.selector ?? {} }, labels));

const named = (object: KubernetesObject, names: readonly string[]): string[] =>
  names.map((name) => `${titleOf(object)} ${name}`);

export const REFERENCE_RULES: readonly Rule[] = [
  {
    id: 'S01',
    fault: 'selectors that do not select the pods of their own workload alone',
    find: (m) =>
      servers(m)
        .filter(({ kind, name }) => {
          const { selector } = m.get<{ spec: { selector: Selector } }>(kind, name).spec;
          const selected = workloads(m).filter(({ labels }) => selects(selector, labels));
          return selected.length !== 1 || selected[0]?.name !== name;
        })
        .map(({ title }) => title),
    plant: (m) =>
      void Object.assign(m.get<IDeployment>('Deployment', 'member-api').spec?.selector ?? {}, {
        matchLabels: { 'app.kubernetes.io/name': 'member-api' },
      }),
    spoils: 'Deployment/member-api',
  },
  {
    id: 'S02',
    fault: 'ConfigMaps that do not exist',
    find: (m) =>
      workloads(m).flatMap((one) =>
        configMapsOf(one)
          .filter((name) => !m.has('ConfigMap', name))
          .map((name) => `${one.title} ${name}`),
      ),
    plant: (m) =>
      void (workload(m, 'Deployment', 'auth').pod.containers[0]?.envFrom ?? []).push({ configMapRef: { name: 'old' } }),
    spoils: 'Deployment/auth old',
  },
  {
    id: 'S03',
    fault: 'Secrets that no operator writes',
    find: (m) => {
      const known = producedSecrets(m);
      const readers = workloads(m).flatMap((one) => secretsOf(one).map((name) => ({ title: one.title, name })));
      return [...readers, ...backupSecrets(m)]
        .filter(({ name }) => !known.has(name))
        .map(({ title, name }) => `${title} ${name}`);
    },
    plant: (m) => m.without('Cluster', 'auth-db'),
    spoils: 'Deployment/auth auth-db-app',
  },
  {
    id: 'S03-keys',
    fault: 'files of secrets that no operator writes',
    find: (m) => {
      const known = producedSecrets(m);
      return workloads(m).flatMap((one) =>
        filesOf(m, one).flatMap((path) => {
          const [volume, key = ''] = volumeOf(one, path);
          return known.get(volume ?? '')?.includes(key) === true ? [] : [`${one.title} ${path}`];
        }),
      );
    },
    plant: (m) => void m.get<ExternalSecret>('ExternalSecret', 'auth').spec.data.splice(0, 1),
    spoils: 'Deployment/auth /run/secrets/lyceum/NATS_PASSWORD',
  },
  {
    id: 'S04',
    fault: 'autoscalers of Deployments that do not exist',
    find: (m) =>
      scalers(m)
        .filter(({ kind, target }) => !m.has(kind, target))
        .map(({ title }) => title),
    plant: (m) => m.without('Deployment', 'auth'),
    spoils: 'HorizontalPodAutoscaler/auth',
  },
  {
    id: 'S05',
    fault: 'Services without pods',
    find: (m) =>
      m
        .of<IService>('Service')
        .filter((object) => podsOf(m, object).length !== 1)
        .map(titleOf),
    plant: (m) => void Object.assign(service(m).spec?.selector ?? {}, { 'app.kubernetes.io/name': 'gone' }),
    spoils: 'Service/auth',
  },
  {
    id: 'S06',
    fault: 'ports of Services that their pods do not have',
    find: (m) =>
      m.of<IService>('Service').flatMap((object) => {
        const ports = podsOf(m, object).flatMap(({ pod }) => pod.containers.flatMap((one) => one.ports ?? []));
        const names = ports.map(({ name }) => name);
        const missing = (object.spec?.ports ?? []).filter(({ targetPort }) => !names.includes(String(targetPort)));
        return named(
          object,
          missing.map(({ name }) => name ?? ''),
        );
      }),
    plant: (m) => void Object.assign(service(m).spec?.ports?.[0] ?? {}, { targetPort: 'web' }),
    spoils: 'Service/auth http',
  },
  {
    id: 'S07',
    fault: 'network policies that select no pod of this namespace, or allow one that does not exist',
    find: (m) =>
      m.of<INetworkPolicy>('NetworkPolicy').flatMap((object) => {
        const { podSelector, ingress = [], egress = [] } = object.spec ?? {};
        const peers = [...ingress.flatMap((rule) => rule.from ?? []), ...egress.flatMap((rule) => rule.to ?? [])];
        const local = peers.filter((peer) => peer.podSelector !== undefined && peer.namespaceSelector === undefined);
        const selectors = [podSelector ?? {}, ...local.map((peer) => peer.podSelector ?? {})] as Selector[];
        return selectors.every((selector) => isSelected(m, selector)) ? [] : [titleOf(object)];
      }),
    plant: (m) =>
      void Object.assign(m.get<INetworkPolicy>('NetworkPolicy', 'auth').spec?.podSelector ?? {}, {
        matchLabels: { 'app.kubernetes.io/name': 'gone' },
      }),
    spoils: 'NetworkPolicy/auth',
  },
  {
    id: 'S08',
    fault: 'routes to Services or ports that do not exist, and routes without their listeners',
    find: (m) =>
      m.of<Route>('HTTPRoute').flatMap((object) => [
        ...named(
          object,
          object.spec.rules
            .flatMap(({ backendRefs }) => backendRefs)
            .filter(({ name, port }) => {
              const target = m.of<IService>('Service').find(({ metadata }) => metadata.name === name);
              return target?.spec?.ports?.some((one) => one.port === port) !== true;
            })
            .map(({ name, port }) => `${name}:${port}`),
        ),
        ...named(
          object,
          object.spec.parentRefs.filter(({ kind, name }) => !m.has(kind, name)).map(({ name }) => name),
        ),
      ]),
    plant: (m) => void (m.get<Route>('HTTPRoute', 'sites').spec.rules[0]!.backendRefs[0]!.port = 80),
    spoils: 'HTTPRoute/sites auth:80',
  },
  {
    id: 'S09',
    fault: 'downloads and streams that the gateway ends after a time',
    find: (m) =>
      m.of<Route>('HTTPRoute').flatMap((object) =>
        named(
          object,
          LONG_RESPONSES.filter((path) => {
            const rules = object.spec.rules.filter(({ matches }) => matches.some((one) => one.path.value === path));
            return rules.length === 0 || rules.some(({ timeouts }) => timeouts?.request !== '0s');
          }),
        ),
      ),
    plant: (m) => void (m.get<Route>('HTTPRoute', 'sites').spec.rules[1]!.timeouts = { request: '65s' }),
    spoils: 'HTTPRoute/sites /files',
  },
];

/** Paths of secret files in the settings of a workload. */
function filesOf(m: Manifests, one: Workload): string[] {
  const maps = new Set(
    one.pod.containers.flatMap(({ envFrom = [] }) => envFrom.flatMap((from) => from.configMapRef?.name ?? [])),
  );
  const settings = m
    .of<{ data: Record<string, string> }>('ConfigMap')
    .filter(({ metadata }) => maps.has(metadata.name))
    .flatMap(({ data }) => Object.entries(data));
  const own = one.pod.containers.flatMap(({ env = [] }) => env.map(({ name, value = '' }) => [name, value] as const));
  return [...settings, ...own].filter(([name]) => name.endsWith('_FILE')).map(([, path]) => path);
}

/** The Secret that is mounted there, and the key of the file. */
function volumeOf({ pod }: Workload, path: string): [string | undefined, string | undefined] {
  const mount = pod.containers[0]?.volumeMounts?.find(({ mountPath }) => path.startsWith(`${mountPath}/`));
  const volume = pod.volumes?.find(({ name }) => name === mount?.name);
  return [volume?.secret?.secretName, mount && path.slice(mount.mountPath.length + 1)];
}
