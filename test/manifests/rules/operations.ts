/** Operation: names, metrics, Jobs, databases and secrets. */
import { LOCALE } from '@lyceum/local';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { IService } from 'kubernetes-models/v1/Service';
import { selects, servers, titleOf } from '../objects.ts';
import type { Manifests, Selector } from '../objects.ts';
import { scalers } from './availability.ts';
import type { Rule } from './rule.ts';

interface ServiceMonitor {
  spec: { selector: Selector; endpoints: { port: string }[] };
}

interface Cluster {
  spec: {
    instances: number;
    imageName: string;
    plugins?: object[];
    bootstrap: { initdb: { localeProvider?: string; builtinLocale?: string } };
    postgresql: { parameters: { max_connections: string } };
  };
}

const DNS_1123 = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Connections of CloudNativePG, of a migration and of operators. */
const RESERVED_CONNECTIONS = 20;

const jobs = (m: Manifests) => [
  ...m.of<IJob>('Job').map((object) => ({ title: titleOf(object), spec: object.spec })),
  ...m
    .of<{ spec: { jobTemplate: { spec: IJob['spec'] } } }>('CronJob')
    .map((object) => ({ title: titleOf(object), spec: object.spec.jobTemplate.spec })),
];
const job = (m: Manifests) => m.get<IJob>('Job', 'auth-migration');
interface Volumes {
  spec: { volumeClaimTemplates: { spec: { resources: { requests: { storage: string } } } }[] };
}

const natsConfiguration = (m: Manifests): { data: Record<string, string> } =>
  m.of<{ data: Record<string, string> }>('ConfigMap').find(({ data }) => 'nats.conf' in data)!;
/** Settings of all services. */
const platform = (m: Manifests): { data: Record<string, string> } =>
  m.of<{ data: Record<string, string> }>('ConfigMap').find(({ data }) => 'READINESS_TIMEOUT_MS' in data)!;
const natsVolumes = (m: Manifests) => m.get<Volumes>('StatefulSet', 'nats').spec.volumeClaimTemplates;
/** Part of a volume that the streams may take, in percent. */
const MOST_OF_A_VOLUME = 90;

const cluster = (m: Manifests) => m.get<Cluster>('Cluster', 'auth-db');

export const OPERATION_RULES: readonly Rule[] = [
  {
    id: 'M01',
    fault: 'names that are no DNS labels (RFC 1123)',
    find: (m) => [
      ...m.all.filter(({ metadata }) => !DNS_1123.test(metadata.name)).map(titleOf),
      ...servers(m).flatMap(({ title, pod }) =>
        pod.containers.filter(({ name }) => !DNS_1123.test(name)).map(({ name }) => `${title} ${name}`),
      ),
    ],
    plant: (m) => void (servers(m)[0]!.pod.containers[0]!.name = 'Service_1'),
    spoils: 'Service_1',
  },
  {
    id: 'M02',
    fault: 'objects without the labels by which a service is applied alone',
    find: (m) =>
      m.all
        .filter(({ metadata: { labels = {} } }) => {
          return !labels['app.kubernetes.io/name'] || labels['app.kubernetes.io/part-of'] !== 'lyceum';
        })
        .map(titleOf),
    plant: (m) => void delete m.get('Service', 'auth').metadata.labels,
    spoils: 'Service/auth',
  },
  {
    id: 'M03',
    fault: 'objects that exist twice',
    find: (m) => m.all.map(titleOf).filter((title, index, all) => all.indexOf(title) !== index),
    plant: (m) => m.with(m.get('Service', 'auth')),
    spoils: 'Service/auth',
  },
  {
    id: 'O01',
    fault: 'services without metrics in Prometheus',
    dev: false,
    find: (m) => {
      const monitors = m.of<ServiceMonitor>('ServiceMonitor');
      const scraped = m
        .of<IService>('Service')
        .filter(({ metadata, spec }) =>
          monitors.some(
            ({ spec: { selector, endpoints } }) =>
              selects(selector, metadata.labels ?? {}) &&
              endpoints.some(({ port }) => spec?.ports?.some(({ name }) => name === port)),
          ),
        );
      return servers(m)
        .filter(({ kind, labels }) => {
          const seen = scraped.some(({ spec }) => selects({ matchLabels: spec?.selector ?? {} }, labels));
          return kind === 'Deployment' && !seen;
        })
        .map(({ title }) => title);
    },
    plant: (m) => m.without('Service', 'member-api-consumers'),
    spoils: 'Deployment/member-api-consumers',
  },
  {
    id: 'H06',
    fault: 'checks of readiness that last as long as their probe, which then does not get the reason',
    find: (m) => {
      const limit = Number(platform(m).data['READINESS_TIMEOUT_MS']);
      return servers(m)
        .filter(({ pod }) =>
          pod.containers.some(
            ({ readinessProbe: { httpGet, timeoutSeconds = 1 } = {} }) =>
              httpGet?.path === '/readyz' && !(limit < timeoutSeconds * 1_000),
          ),
        )
        .map(({ title }) => title);
    },
    plant: (m) => void (platform(m).data['READINESS_TIMEOUT_MS'] = '3000'),
    spoils: 'Deployment/auth',
  },
  {
    id: 'J01',
    fault: 'Jobs that stay for ever, and block the next release',
    find: (m) =>
      jobs(m)
        .filter(({ spec }) => spec?.ttlSecondsAfterFinished === undefined)
        .map(({ title }) => title),
    plant: (m) => void delete job(m).spec?.ttlSecondsAfterFinished,
    spoils: 'Job/auth-migration',
  },
  {
    id: 'J02',
    fault: 'Jobs without a deadline, or with many retries',
    find: (m) =>
      jobs(m)
        .filter(({ spec }) => spec?.activeDeadlineSeconds === undefined || (spec.backoffLimit ?? 6) > 2)
        .map(({ title }) => title),
    plant: (m) => void delete job(m).spec?.activeDeadlineSeconds,
    spoils: 'Job/auth-migration',
  },
  {
    id: 'J03',
    fault: 'migrations by another image than that of the service',
    find: (m) =>
      m
        .of<IJob>('Job')
        .filter(({ metadata, spec }) => {
          const service = metadata.name.replace(/-migration$/, '');
          if (!m.has('Deployment', service)) return false;
          const [own] = spec?.template.spec?.containers ?? [];
          const of = servers(m).filter(({ labels }) => labels['app.kubernetes.io/name'] === service);
          return !of.every(({ pod }) => pod.containers[0]?.image === own?.image) || own?.args?.join() !== 'migrate';
        })
        .map(titleOf),
    plant: (m) => void (job(m).spec!.template.spec!.containers[0]!.image = 'registry.example/lyceum/lyceum-auth:0.0.9'),
    spoils: 'Job/auth-migration',
  },
  {
    id: 'J04',
    fault: 'databases without a Job that migrates them',
    find: (m) =>
      m
        .of('Cluster')
        .filter(({ metadata }) => !m.has('Job', metadata.name.replace(/-db$/, '-migration')))
        .map(titleOf),
    plant: (m) => m.without('Job', 'auth-migration'),
    spoils: 'Cluster/auth-db',
  },
  {
    id: 'J05',
    fault: 'Jobs that Argo CD does not run before the services',
    dev: false,
    find: (m) => {
      const wave = (annotations: Record<string, string> = {}) =>
        Number(annotations['argocd.argoproj.io/sync-wave'] ?? 0);
      const first = Math.min(...m.of('Deployment').map(({ metadata }) => wave(metadata.annotations)));
      return m
        .of('Job')
        .filter(({ metadata: { annotations = {} } }) => {
          const replaced = annotations['argocd.argoproj.io/hook-delete-policy'] === 'BeforeHookCreation';
          return annotations['argocd.argoproj.io/hook'] !== 'Sync' || !replaced || wave(annotations) >= first;
        })
        .map(titleOf);
    },
    plant: (m) => void delete job(m).metadata.annotations,
    spoils: 'Job/auth-migration',
  },
  {
    id: 'X01',
    fault: 'Secrets with data',
    find: (m) => m.of('Secret').map(titleOf),
    plant: (m) => m.with({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'auth' } }),
    spoils: 'Secret/auth',
  },
  {
    id: 'D01',
    fault: 'databases with fewer than three instances',
    dev: false,
    find: (m) =>
      m
        .of<Cluster>('Cluster')
        .filter(({ spec }) => spec.instances < 3)
        .map(titleOf),
    plant: (m) => void (cluster(m).spec.instances = 2),
    spoils: 'Cluster/auth-db',
  },
  {
    id: 'D02',
    fault: 'databases without continuous backups and a daily base',
    find: (m) => {
      const scheduled = m
        .of<{ spec: { cluster: { name: string } } }>('ScheduledBackup')
        .map(({ spec }) => spec.cluster.name);
      return m
        .of<Cluster>('Cluster')
        .filter(({ metadata, spec }) => !scheduled.includes(metadata.name) || (spec.plugins ?? []).length === 0)
        .map(titleOf);
    },
    plant: (m) => m.without('ScheduledBackup', 'auth-db'),
    spoils: 'Cluster/auth-db',
  },
  {
    id: 'D03',
    fault: 'databases with fewer connections than all replicas can open',
    find: (m) =>
      m
        .of<Cluster>('Cluster')
        .filter(({ metadata, spec }) => {
          const service = metadata.name.replace(/-db$/, '');
          const pool = poolOf(m, service);
          const of = servers(m).filter(({ labels }) => labels['app.kubernetes.io/name'] === service);
          // One more replica of each during a rollout.
          const replicas = of.map(({ name }) => (scalers(m).find(({ target }) => target === name)?.max ?? 2) + 1);
          // A replica also has the connection of its health check.
          const needed = replicas.reduce((sum, count) => sum + count * (pool + 1), RESERVED_CONNECTIONS);
          return !(needed <= Number(spec.postgresql.parameters.max_connections));
        })
        .map(titleOf),
    plant: (m) => void (cluster(m).spec.postgresql.parameters.max_connections = '100'),
    spoils: 'Cluster/auth-db',
  },
  {
    id: 'D04',
    fault: 'databases that fold and order text in another way than those of the tests',
    find: (m) =>
      m
        .of<Cluster>('Cluster')
        .filter(({ spec: { bootstrap } }) => {
          const { localeProvider, builtinLocale } = bootstrap.initdb;
          return !LOCALE.includes(`--locale-provider=${localeProvider} --builtin-locale=${builtinLocale} `);
        })
        .map(titleOf),
    plant: (m) => void delete cluster(m).spec.bootstrap.initdb.localeProvider,
    spoils: 'Cluster/auth-db',
  },
  {
    id: 'D05',
    fault: 'databases of prod without a tag and a digest',
    prodOnly: true,
    find: (m) =>
      m
        .of<Cluster>('Cluster')
        .filter(({ spec }) => !/:\d[\w.-]*@sha256:[0-9a-f]{64}$/.test(spec.imageName))
        .map(titleOf),
    plant: (m) => void (cluster(m).spec.imageName = 'ghcr.io/cloudnative-pg/postgresql:18'),
    spoils: 'Cluster/auth-db',
  },
  {
    id: 'Q01',
    fault: 'streams that can fill their volume',
    find: (m) => {
      const [, limit] = /^ *max_file: (\d+)Gb$/m.exec(natsConfiguration(m).data['nats.conf']!) ?? [];
      const sizes = natsVolumes(m).map(({ spec }) => /^(\d+)Gi$/.exec(spec.resources.requests.storage)?.[1]);
      const fits = sizes.every((size) => Number(limit) <= (Number(size) * MOST_OF_A_VOLUME) / 100);
      return sizes.length === 1 && fits ? [] : ['StatefulSet/nats'];
    },
    plant: (m) => void Object.assign(natsVolumes(m)[0]!.spec.resources.requests, { storage: '19Gi' }),
    spoils: 'StatefulSet/nats',
  },
];

function poolOf(m: Manifests, service: string): number {
  const settings = m
    .of<{ data: Record<string, string> }>('ConfigMap')
    .find(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === service);
  return Number(settings?.data['DATABASE_POOL_SIZE']);
}
