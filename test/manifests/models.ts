/** Packages with the models of operators, by API group. */
const PACKAGES: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'keda.sh': '@kubernetes-models/keda',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'external-secrets.io': '@kubernetes-models/external-secrets',
};

/** The plugin of CloudNativePG has no models. */
const WITHOUT_MODEL = 'barmancloud.cnpg.io';

/** The module with the class and the type of an object; undefined for the one API without models. */
export function modelOf({ apiVersion, kind }: { apiVersion: string; kind: string }): string | undefined {
  const group = apiVersion.split('/')[0] ?? '';
  if (group === WITHOUT_MODEL) return undefined;
  return `${PACKAGES[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}
