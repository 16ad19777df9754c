/** The files of deploy/kubernetes that follow from other files of this repository. */
import { join } from 'node:path';
import { TOPOLOGY, natsAccounts } from '@lyceum/contracts';
import { stringify } from 'yaml';
import { DASHBOARDS } from './dashboards.ts';
import { grafana } from './grafana.ts';
import { ruleGroups } from './prometheus-rules.ts';

export const ROOT = join(import.meta.dirname, '../..');

const COMPONENTS = 'deploy/kubernetes/components';
const NOTICE = '# Written by `npm run -s manifests -w @lyceum/system-test`.\n';

/** Events that a replica works off in a few seconds. */
const LAG_OF_A_REPLICA = '500';

/** Deployments that read events, by the service of their consumers. */
const READERS = { 'member-api': 'consumers', 'admin-api': 'jobs' } as const;

/** Texts by path. */
export function generatedFiles(): Readonly<Record<string, string>> {
  return {
    [`${COMPONENTS}/nats/accounts.conf`]: accounts(),
    [`${COMPONENTS}/prometheus/rules.yaml`]: NOTICE + toYaml(prometheusRule()),
    ...Object.fromEntries(
      DASHBOARDS.map((dashboard) => [
        `${COMPONENTS}/prometheus/dashboards/${dashboard.title}.json`,
        `${JSON.stringify(grafana(dashboard), null, 2)}\n`,
      ]),
    ),
    [`${COMPONENTS}/keda/scaled-objects.yaml`]:
      NOTICE +
      Object.entries(READERS)
        .map(([service, component]) => toYaml(scaledObject(service, component)))
        .join('---\n'),
  };
}

const toYaml = (value: object): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

/**
 * The passwords are variables of another file, because this one is no secret. The configuration of NATS has JSON, and
 * variables without quotes.
 */
function accounts(): string {
  const text = JSON.stringify({ accounts: natsAccounts((user) => `$${user.replaceAll('-', '_')}_password`) }, null, 2);
  const body = text.slice(2, -2).replaceAll(/"(\$\w+_password)"/g, '$1');
  return `${NOTICE}include ./passwords.conf\n${body.replaceAll(/^ {2}/gm, '')}\n`;
}

function prometheusRule(): object {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      name: 'alerts',
      labels: { 'app.kubernetes.io/name': 'platform', 'app.kubernetes.io/part-of': 'lyceum' },
    },
    spec: { groups: ruleGroups() },
  };
}

function scaledObject(service: string, component: string): object {
  const name = `${service}-${component}`;
  const consumers = TOPOLOGY.consumers.filter((consumer) => consumer.name.startsWith(`${service}-`));
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: {
      name,
      labels: {
        'app.kubernetes.io/name': service,
        'app.kubernetes.io/component': component,
        'app.kubernetes.io/part-of': 'lyceum',
      },
    },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      pollingInterval: 15,
      minReplicaCount: 2,
      maxReplicaCount: 8,
      advanced: { horizontalPodAutoscalerConfig: { behavior: { scaleDown: { stabilizationWindowSeconds: 300 } } } },
      triggers: [
        { type: 'cpu', metricType: 'AverageValue', metadata: { value: '700m' } },
        ...consumers.map((consumer) => ({
          type: 'nats-jetstream',
          metadata: {
            // The overlay replaces the namespace: KEDA asks from its own.
            natsServerMonitoringEndpoint: 'nats.namespace.svc.cluster.local:8222',
            account: 'HUB',
            stream: consumer.stream,
            consumer: consumer.name,
            lagThreshold: LAG_OF_A_REPLICA,
            activationLagThreshold: '0',
          },
        })),
      ],
    },
  };
}
