/** A Prometheus of Debian's package, which scrapes services every second. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import { RULE_FILES, type RuleGroup } from '../manifests/prometheus-rules.ts';

export const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;

interface Prometheus {
  /** The number of series that the expression has now. */
  seriesOf(expression: string): Promise<number>;
  stop(): Promise<void>;
}

interface QueryResponse {
  readonly status: string;
  readonly error?: string;
  readonly data?: { readonly result: readonly object[] };
}

/**
 * @param targets management URLs by the label `job`
 * @param groups rules in place of those of deploy/prometheus
 */
export async function startPrometheus(
  targets: Readonly<Record<string, string>>,
  groups?: readonly RuleGroup[],
): Promise<Prometheus> {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-prometheus-'));
  const ownRules = join(directory, 'rules.yaml');
  if (groups !== undefined) writeFileSync(ownRules, JSON.stringify({ groups }));
  const file = join(directory, 'prometheus.yaml');
  // JSON is YAML.
  const configuration = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: groups === undefined ? RULE_FILES : [ownRules],
    scrape_configs: Object.entries(targets).map(([job_name, url]) => ({
      job_name,
      static_configs: [{ targets: [new URL(url).host] }],
    })),
  };
  writeFileSync(file, JSON.stringify(configuration));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    'prometheus',
    [`--config.file=${file}`, `--storage.tsdb.path=${join(directory, 'data')}`, `--web.listen-address=${address}`],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const ready = () =>
      fetch(`http://${address}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(ready, Boolean);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stop,
    seriesOf: async (expression) => {
      const response = await fetch(`http://${address}/api/v1/query?${new URLSearchParams({ query: expression })}`);
      const { status, error, data } = (await response.json()) as QueryResponse;
      if (status !== 'success') throw new Error(`${expression}: ${error}`);
      return data?.result.length ?? 0;
    },
  };
}
