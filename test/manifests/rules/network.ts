/** The network: closed both ways, with narrow ways through. */
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IService } from 'kubernetes-models/v1/Service';
import { selects, servers, titleOf, workloads } from '../objects.ts';
import type { Manifests, Workload } from '../objects.ts';
import type { Rule } from './rule.ts';

const policies = (m: Manifests) => m.of<INetworkPolicy>('NetworkPolicy');
const auth = (m: Manifests) => m.get<INetworkPolicy>('NetworkPolicy', 'auth');
const isOfAll = ({ spec }: INetworkPolicy): boolean => Object.keys(spec?.podSelector ?? {}).length === 0;

/** Policies of this workload, without those of all pods. */
const own = (m: Manifests, { labels }: Workload) =>
  policies(m).filter((one) => !isOfAll(one) && selects(one.spec?.podSelector ?? {}, labels));

const PRIVATE = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];
const isOpen = (cidr: string): boolean => cidr === '0.0.0.0/0' || cidr === '::/0';
const PUBLIC_PORTS: readonly unknown[] = [443, 465, 587];

/** Services whose pods may leave the cluster, with the ports (docs/operate/kubernetes.md). */
const LEAVING: Readonly<Record<string, readonly number[]>> = {
  auth: [443, 465, 587],
  'admin-api': [443],
  'admin-api-jobs': [443],
  'member-api-consumers': [465, 587],
};

/** The pod that proves a hostname by HTTP-01, as cert-manager labels it. */
export const SOLVER = { 'acme.cert-manager.io/http01-solver': 'true' };
const SOLVER_PORT = 8089;
const GATEWAY = { 'kubernetes.io/metadata.name': 'gateway' };

/** The name of a database after a restore (docs/operate/restore.md). */
const restored = (name: string): string => `${name}-restored`;

/** Where policies select these pods: as their own, or as those at the other end of a way. */
function waysOf(m: Manifests, pods: Readonly<Record<string, string>>): string[] {
  return policies(m).flatMap(({ metadata, spec }) => {
    const peers = [
      ...(spec?.ingress ?? []).flatMap((one) => one.from ?? []),
      ...(spec?.egress ?? []).flatMap((one) => one.to ?? []),
    ];
    const selectors = [spec?.podSelector, ...peers.map(({ podSelector }) => podSelector)];
    return selectors.flatMap((selector, index) =>
      selector !== undefined && selects(selector, pods) ? [`${metadata.name} ${index}`] : [],
    );
  });
}

/** The label of the pods of a storefront, and of their namespace (docs/operate/storefront.md). */
const STOREFRONT = { 'lyceum.dev/storefront': 'true' };
const NATS = { 'app.kubernetes.io/name': 'nats', 'app.kubernetes.io/component': 'server' };
type Labels = Readonly<Record<string, string>>;

/** The ways of clients to NATS. */
const waysToNats = (m: Manifests) =>
  policies(m)
    .filter(({ spec }) => selects(spec?.podSelector ?? {}, NATS))
    .flatMap(({ spec }) => spec?.ingress ?? [])
    .filter(({ ports = [] }) => ports.some(({ port }) => port === 'client'));

/** True when these pods of another namespace reach NATS. */
const reachNats = (m: Manifests, namespace: Labels, pods: Labels): boolean =>
  waysToNats(m).some(({ from = [] }) =>
    from.some(
      ({ namespaceSelector, podSelector = {} }) =>
        namespaceSelector !== undefined && selects(namespaceSelector, namespace) && selects(podSelector, pods),
    ),
  );

export const NETWORK_RULES: readonly Rule[] = [
  {
    id: 'N01',
    fault: 'servers that no policy of their own lets anything in to',
    find: (m) =>
      servers(m)
        .filter((one) => !own(m, one).some(({ spec }) => (spec?.ingress ?? []).length > 0))
        .map(({ title }) => title),
    plant: (m) => void delete m.get<INetworkPolicy>('NetworkPolicy', 'mcp-gateway').spec?.ingress,
    spoils: 'Deployment/mcp-gateway',
  },
  {
    id: 'N01-out',
    fault: 'pods that no policy of their own lets anything out from',
    find: (m) =>
      workloads(m)
        .filter((one) => !own(m, one).some(({ spec }) => (spec?.egress ?? []).length > 0))
        .map(({ title }) => title),
    plant: (m) => m.without('NetworkPolicy', 'topology'),
    spoils: 'CronJob/topology',
  },
  {
    id: 'N02',
    fault: 'Services that open ports of nodes or load balancers',
    find: (m) =>
      m
        .of<IService>('Service')
        .filter(({ spec }) => spec?.type !== 'ClusterIP')
        .map(titleOf),
    plant: (m) => void Object.assign(m.get<IService>('Service', 'auth').spec ?? {}, { type: 'LoadBalancer' }),
    spoils: 'Service/auth',
  },
  {
    id: 'N03',
    fault: 'an open network: no policy denies everything in both directions',
    find: (m) => {
      const denies = policies(m).some(({ spec, ...object }) => {
        const { ingress = [], egress = [], policyTypes = [] } = spec ?? {};
        const both = policyTypes.includes('Ingress') && policyTypes.includes('Egress');
        return isOfAll({ spec, ...object }) && both && ingress.length === 0 && egress.length === 0;
      });
      return denies ? [] : m.of('Namespace').map(titleOf);
    },
    plant: (m) => m.without('NetworkPolicy', 'default-deny'),
    spoils: 'Namespace/lyceum',
  },
  {
    id: 'N04',
    fault: 'ways without ports',
    find: (m) =>
      policies(m)
        .filter(({ spec }) =>
          [...(spec?.ingress ?? []), ...(spec?.egress ?? [])].some(({ ports = [] }) =>
            ports.length === 0 ? true : ports.some(({ port }) => port === undefined),
          ),
        )
        .map(titleOf),
    plant: (m) => void delete auth(m).spec?.egress?.[0]?.ports,
    spoils: 'NetworkPolicy/auth',
  },
  {
    id: 'N05',
    fault: 'ways of services to private addresses, or to public ones that the service does not need',
    find: (m) =>
      policies(m)
        .filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] !== 'database')
        .filter(({ metadata, spec }) =>
          (spec?.egress ?? []).some(({ to = [], ports = [] }) =>
            to.some(({ ipBlock }) => {
              if (ipBlock === undefined) return false;
              const allowed: readonly unknown[] = LEAVING[metadata.name] ?? [];
              const narrow = !isOpen(ipBlock.cidr) || PRIVATE.every((cidr) => ipBlock.except?.includes(cidr));
              return !narrow || !ports.every(({ port }) => PUBLIC_PORTS.includes(port) && allowed.includes(port));
            }),
          ),
        )
        .map(titleOf),
    plant: (m) => {
      const blocks = auth(m).spec?.egress?.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])) ?? [];
      delete blocks.find(({ cidr }) => isOpen(cidr))?.except;
    },
    spoils: 'NetworkPolicy/auth',
  },
  {
    id: 'N06',
    fault: 'databases that another service can reach, and services without a way to their own',
    find: (m) =>
      m.of('Cluster').flatMap((cluster) => {
        const { name } = cluster.metadata;
        const pods = { 'cnpg.io/cluster': name };
        const owner = name.replace(/-db$/, '');
        const reachers = workloads(m).filter((one) =>
          own(m, one).some(({ spec }) =>
            (spec?.egress ?? []).some(({ to = [] }) =>
              to.some(({ podSelector }) => podSelector !== undefined && selects(podSelector, pods)),
            ),
          ),
        );
        const owners = workloads(m).filter(({ labels }) => labels['app.kubernetes.io/name'] === owner);
        const strangers = reachers.filter((one) => !owners.some(({ title }) => title === one.title));
        const kept = owners.filter((one) => !reachers.some(({ title }) => title === one.title));
        return [...strangers, ...kept].map(({ title }) => `${titleOf(cluster)} ${title}`);
      }),
    plant: (m) =>
      void Object.assign(m.get<INetworkPolicy>('NetworkPolicy', 'auth-to-database').spec?.podSelector ?? {}, {
        matchLabels: { 'app.kubernetes.io/part-of': 'lyceum' },
      }),
    spoils: 'Cluster/auth-db Deployment/mcp-gateway',
  },
  {
    id: 'N07',
    fault: 'databases whose restored cluster has other ways',
    find: (m) =>
      m
        .of('Cluster')
        .filter(({ metadata: { name } }) => {
          const [ways, ofRestored] = [name, restored(name)].map((cluster) => waysOf(m, { 'cnpg.io/cluster': cluster }));
          return ways!.length < 4 || ways!.join() !== ofRestored!.join();
        })
        .map(titleOf),
    plant: (m) =>
      void Object.assign(m.get<INetworkPolicy>('NetworkPolicy', 'auth-db').spec ?? {}, {
        podSelector: { matchLabels: { 'cnpg.io/cluster': 'auth-db' } },
      }),
    spoils: 'Cluster/auth-db',
  },
  {
    id: 'N08',
    fault:
      'hostnames whose certificate cannot be proven, because the gateway does not reach the solver of cert-manager',
    find: (m) => {
      const reached = policies(m)
        .filter(({ spec }) => selects(spec?.podSelector ?? {}, SOLVER))
        .flatMap(({ spec }) => spec?.ingress ?? [])
        .some(
          ({ from = [], ports = [] }) =>
            from.some(({ namespaceSelector }) => selects(namespaceSelector ?? {}, GATEWAY)) &&
            ports.some(({ port }) => port === SOLVER_PORT),
        );
      return reached ? [] : m.of('ListenerSet').map(titleOf);
    },
    plant: (m) => m.without('NetworkPolicy', 'certificate-solvers'),
    spoils: 'ListenerSet/sites',
  },
  {
    id: 'N09',
    fault: 'a NATS that no storefront reaches',
    find: (m) => (reachNats(m, STOREFRONT, STOREFRONT) ? [] : ['NetworkPolicy/nats']),
    plant: (m) => {
      const { spec } = m.get<INetworkPolicy>('NetworkPolicy', 'nats');
      spec!.ingress = spec!.ingress?.filter(({ from = [] }) =>
        from.every((one) => one.namespaceSelector === undefined),
      );
    },
    spoils: 'NetworkPolicy/nats',
  },
  {
    id: 'N10',
    fault: 'a NATS that other namespaces reach without the labels of a storefront on the namespace and its pods',
    find: (m) => {
      const isOpen = waysToNats(m).some(
        ({ from = [] }) => from.length === 0 || from.some(({ ipBlock }) => ipBlock !== undefined),
      );
      const isReached = reachNats(m, STOREFRONT, {}) || reachNats(m, {}, STOREFRONT);
      return isOpen || isReached ? ['NetworkPolicy/nats'] : [];
    },
    plant: (m) => {
      const peers = waysToNats(m).flatMap(({ from = [] }) => from);
      peers.find(({ namespaceSelector }) => namespaceSelector !== undefined)!.namespaceSelector = {};
    },
    spoils: 'NetworkPolicy/nats',
  },
  {
    id: 'E02',
    fault: 'Ingresses, in place of routes of the Gateway API',
    find: (m) => m.of('Ingress').map(titleOf),
    plant: (m) => m.with({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'auth' } }),
    spoils: 'Ingress/auth',
  },
];
