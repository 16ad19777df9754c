/** Pods: Pod Security Standard "restricted", resources, settings and probes. */
import type { IContainer } from 'kubernetes-models/v1/Container';
import { containersOf, servers, workload, workloads } from '../objects.ts';
import type { Manifests, Workload } from '../objects.ts';
import type { Rule } from './rule.ts';

const auth = (manifests: Manifests): Workload => workload(manifests, 'Deployment', 'auth');
const container = (manifests: Manifests): IContainer => auth(manifests).pod.containers[0] as IContainer;
const migration = (manifests: Manifests): Workload => workload(manifests, 'Job', 'auth-migration');

const everyPod =
  (bad: (one: Workload, manifests: Manifests) => boolean): Rule['find'] =>
  (manifests) =>
    workloads(manifests)
      .filter((one) => bad(one, manifests))
      .map(({ title }) => title);

const everyContainer =
  (bad: (one: IContainer, of: Workload) => boolean, of = workloads): Rule['find'] =>
  (manifests) =>
    of(manifests).flatMap((one) =>
      containersOf(one)
        .filter((each) => bad(each, one))
        .map(({ name }) => `${one.title} ${name}`),
    );

const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const SECRET_NAME = /PASSWORD|SECRET|TOKEN|CREDENTIAL|(?:^|_)KEYS?$|DATABASE_URL|SMTP_URL|RESOURCE_SERVERS/;
const isSecret = (name: string): boolean => SECRET_NAME.test(name) && !name.endsWith('_FILE');
const LOWEST_UID = 10_000;
const LOWEST_PORT = 1_024;
/** In seconds: to stop, and what remains until the kill. */
const [LEAST_STOP, RESERVE] = [20, 10];

const probesOf = (one: IContainer) => [one.startupProbe, one.readinessProbe, one.livenessProbe];
const urlOf = (probe: IContainer['livenessProbe']): string => `${probe?.httpGet?.port}${probe?.httpGet?.path}`;

export const POD_RULES: readonly Rule[] = [
  {
    id: 'P01',
    fault: 'namespaces of the host',
    find: everyPod(({ pod }) => Boolean(pod.hostNetwork ?? false) || Boolean(pod.hostPID) || Boolean(pod.hostIPC)),
    plant: (m) => void (auth(m).pod.hostNetwork = true),
    spoils: 'Deployment/auth',
  },
  {
    id: 'P02',
    fault: 'types of volumes that the standard "restricted" forbids',
    find: everyPod(({ pod }) =>
      (pod.volumes ?? []).some(({ name: _name, ...type }) => !Object.keys(type).every((key) => VOLUMES.includes(key))),
    ),
    plant: (m) => void auth(m).pod.volumes?.push({ name: 'host', hostPath: { path: '/' } }),
    spoils: 'Deployment/auth',
  },
  {
    id: 'P03',
    fault: 'tokens of the Kubernetes API in pods',
    find: everyPod(({ pod }) => pod.automountServiceAccountToken !== false),
    plant: (m) => void delete auth(m).pod.automountServiceAccountToken,
    spoils: 'Deployment/auth',
  },
  {
    id: 'P04',
    fault: 'pods with the default service account',
    find: everyPod(({ pod }) => pod.serviceAccountName === undefined || pod.serviceAccountName === 'default'),
    plant: (m) => void delete migration(m).pod.serviceAccountName,
    spoils: 'Job/auth-migration',
  },
  {
    id: 'P05',
    fault: 'service accounts that do not exist, or that another application has',
    find: everyPod(
      ({ pod, labels }, manifests) =>
        !manifests.has('ServiceAccount', pod.serviceAccountName) ||
        pod.serviceAccountName !== labels['app.kubernetes.io/name'],
    ),
    plant: (m) => void (auth(m).pod.serviceAccountName = 'admin-api'),
    spoils: 'Deployment/auth',
  },
  {
    id: 'P06',
    fault: 'pods that may run as root',
    find: everyPod(({ pod }) => pod.securityContext?.runAsNonRoot !== true),
    plant: (m) => void delete migration(m).pod.securityContext?.runAsNonRoot,
    spoils: 'Job/auth-migration',
  },
  {
    id: 'P07',
    fault: `users below ${LOWEST_UID}`,
    find: (m) => [
      ...everyPod(({ pod }) => (pod.securityContext?.runAsUser ?? 0) < LOWEST_UID)(m),
      ...everyContainer((one) => (one.securityContext?.runAsUser ?? LOWEST_UID) < LOWEST_UID)(m),
    ],
    plant: (m) => void Object.assign(container(m).securityContext ?? {}, { runAsUser: 0 }),
    spoils: 'Deployment/auth',
  },
  {
    id: 'P08',
    fault: 'containers that may gain privileges',
    find: everyContainer((one) => one.securityContext?.allowPrivilegeEscalation !== false),
    plant: (m) => void delete container(m).securityContext?.allowPrivilegeEscalation,
    spoils: 'Deployment/auth service',
  },
  {
    id: 'P09',
    fault: 'containers that keep capabilities',
    find: everyContainer((one) => one.securityContext?.capabilities?.drop?.includes('ALL') !== true),
    plant: (m) => void Object.assign(container(m).securityContext?.capabilities ?? {}, { drop: ['NET_RAW'] }),
    spoils: 'Deployment/auth service',
  },
  {
    id: 'P10',
    fault: 'containers that add capabilities',
    find: everyContainer((one) =>
      (one.securityContext?.capabilities?.add ?? []).some((capability) => capability !== 'NET_BIND_SERVICE'),
    ),
    plant: (m) => void Object.assign(container(m).securityContext?.capabilities ?? {}, { add: ['SYS_PTRACE'] }),
    spoils: 'Deployment/auth service',
  },
  {
    id: 'P11',
    fault: 'pods without a seccomp profile',
    find: everyPod(({ pod }) => pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault'),
    plant: (m) => void delete auth(m).pod.securityContext?.seccompProfile,
    spoils: 'Deployment/auth',
  },
  {
    id: 'P12',
    fault: 'root file systems that can be written',
    find: everyContainer((one) => one.securityContext?.readOnlyRootFilesystem !== true),
    plant: (m) => void delete container(m).securityContext?.readOnlyRootFilesystem,
    spoils: 'Deployment/auth service',
  },
  {
    id: 'P13',
    fault: 'privileged containers',
    find: everyContainer((one) => one.securityContext?.privileged === true),
    plant: (m) => void Object.assign(container(m).securityContext ?? {}, { privileged: true }),
    spoils: 'Deployment/auth service',
  },
  {
    id: 'P14',
    fault: 'a namespace that does not enforce the standard "restricted", and objects outside of it',
    find: (m) => {
      const namespaces = m.of('Namespace');
      const names = namespaces.map(({ metadata }) => metadata.name);
      return [
        ...namespaces
          .filter(({ metadata }) => metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted')
          .map(({ metadata }) => `Namespace/${metadata.name}`),
        ...workloads(m)
          .map(({ kind, name }) => m.get(kind, name))
          .filter(({ metadata }) => !names.includes(metadata.namespace ?? ''))
          .map(({ kind, metadata }) => `${kind}/${metadata.name}`),
      ];
    },
    plant: (m) => void delete m.get('Namespace', 'lyceum').metadata.labels?.['pod-security.kubernetes.io/enforce'],
    spoils: 'Namespace/lyceum',
  },
  {
    id: 'R01',
    fault: 'containers without requests for CPU and memory',
    find: everyContainer(({ resources }) => !resources?.requests?.['cpu'] || !resources.requests['memory']),
    plant: (m) => void delete container(m).resources?.requests?.['cpu'],
    spoils: 'Deployment/auth service',
  },
  {
    id: 'R02',
    fault: 'containers without a limit of memory, or with one of CPU',
    find: everyContainer(({ resources }) => !resources?.limits?.['memory'] || resources.limits['cpu'] !== undefined),
    plant: (m) => void delete container(m).resources?.limits?.['memory'],
    spoils: 'Deployment/auth service',
  },
  {
    id: 'R03',
    fault: 'images without a version',
    find: everyContainer(({ image = '' }) => !/@sha256:[0-9a-f]{64}$|:(?!latest$)[\w][\w.-]*$/.test(image)),
    plant: (m) => void (container(m).image = 'registry.example/lyceum/lyceum-auth:latest'),
    spoils: 'Deployment/auth service',
  },
  {
    id: 'R03-prod',
    fault: 'images of prod without a digest',
    prodOnly: true,
    find: everyContainer(({ image = '' }) => !/@sha256:[0-9a-f]{64}$/.test(image)),
    plant: (m) => void (container(m).image = 'registry.example/lyceum/lyceum-auth:1.0.0'),
    spoils: 'Deployment/auth service',
  },
  {
    id: 'R03-name',
    fault: 'images of services with another name than docker/build gives',
    find: everyContainer(({ image = '' }) => image.includes('lyceum') && !/\/lyceum-[a-z-]+[:@]/.test(image)),
    plant: (m) => void (container(m).image = 'registry.example/lyceum/auth:1.0.0'),
    spoils: 'Deployment/auth service',
  },
  {
    id: 'R04',
    fault: 'variables that are set twice',
    find: everyContainer(({ env = [] }) => new Set(env.map(({ name }) => name)).size < env.length),
    plant: (m) =>
      void (container(m).env = [
        { name: 'HOST', value: '::' },
        { name: 'HOST', value: '0.0.0.0' },
      ]),
    spoils: 'Deployment/auth service',
  },
  {
    id: 'R05',
    fault: 'secrets in variables; they are files',
    find: (m) => [
      ...everyContainer(({ env = [], envFrom = [] }) => {
        const inline = env.some(({ name, value }) => isSecret(name) && Boolean(value));
        const referred = env.some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined);
        return inline || referred || envFrom.some(({ secretRef }) => secretRef !== undefined);
      })(m),
      ...m.of<{ data?: Record<string, string> }>('ConfigMap').flatMap(({ data = {}, metadata }) =>
        Object.entries(data)
          .filter(([name, value]) => isSecret(name) && value !== '')
          .map(([name]) => `ConfigMap/${metadata.name} ${name}`),
      ),
    ],
    plant: (m) => void (container(m).env = [{ name: 'NATS_PASSWORD', value: 'x' }]),
    spoils: 'Deployment/auth service',
  },
  {
    id: 'R06',
    fault: `ports below ${LOWEST_PORT}`,
    find: everyContainer(({ ports = [] }) => ports.some(({ containerPort }) => containerPort < LOWEST_PORT)),
    plant: (m) => void container(m).ports?.push({ name: 'low', containerPort: 80 }),
    spoils: 'Deployment/auth service',
  },
  {
    id: 'H01',
    fault: 'probes of ports that the container does not have',
    find: everyContainer((one) => {
      const ports = (one.ports ?? []).flatMap(({ name, containerPort }) => [name, containerPort]);
      return probesOf(one).some((probe) => probe?.httpGet !== undefined && !ports.includes(probe.httpGet.port));
    }, servers),
    plant: (m) => void Object.assign(container(m).readinessProbe?.httpGet ?? {}, { port: 'metrics' }),
    spoils: 'Deployment/auth service',
  },
  {
    id: 'H02',
    fault: 'containers without three probes',
    find: everyContainer((one) => probesOf(one).includes(undefined), servers),
    plant: (m) => void delete container(m).startupProbe,
    spoils: 'Deployment/auth service',
  },
  {
    id: 'H03',
    fault: 'containers that are restarted when they are not ready',
    find: everyContainer((one) => urlOf(one.livenessProbe) === urlOf(one.readinessProbe), servers),
    plant: (m) => void Object.assign(container(m).livenessProbe?.httpGet ?? {}, { path: '/readyz' }),
    spoils: 'Deployment/auth service',
  },
  {
    id: 'H04',
    fault: 'containers that stop while requests are sent to them',
    find: everyContainer((one) => one.lifecycle?.preStop === undefined, servers),
    plant: (m) => void delete container(m).lifecycle,
    spoils: 'Deployment/auth service',
  },
  {
    id: 'H05',
    fault: 'pods that are killed before their requests have ended',
    find: (m) =>
      servers(m)
        .filter(({ pod }) => {
          const [{ lifecycle } = {}] = pod.containers as readonly Partial<IContainer>[];
          const pause = lifecycle?.preStop?.sleep?.seconds ?? 0;
          return (pod.terminationGracePeriodSeconds ?? 30) < pause + Math.max(LEAST_STOP, shutdownSeconds(m) + RESERVE);
        })
        .map(({ title }) => title),
    plant: (m) => void (auth(m).pod.terminationGracePeriodSeconds = 30),
    spoils: 'Deployment/auth',
  },
];

/** Time that a service takes to stop, by its settings. */
function shutdownSeconds(m: Manifests): number {
  const platform = m.of<{ data: Record<string, string> }>('ConfigMap').find(({ data }) => 'SHUTDOWN_DELAY_MS' in data);
  const { SHUTDOWN_DELAY_MS = '', SHUTDOWN_TIMEOUT_MS = '' } = platform?.data ?? {};
  return (Number(SHUTDOWN_DELAY_MS) + Number(SHUTDOWN_TIMEOUT_MS)) / 1_000;
}
