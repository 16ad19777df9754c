import { MetricsRegistry } from '@lyceum/platform';
import { OperationMetrics } from './operation.metrics.js';

const error = (code: string) => ({ message: 'x', extensions: { code } });

describe('the metrics of GraphQL', () => {
  async function counted(
    ...responses: Parameters<OperationMetrics['responded']>[0][]
  ): Promise<Record<string, number>> {
    const registry = new MetricsRegistry('member-api');
    const metrics = new OperationMetrics(registry);
    for (const errors of responses) metrics.responded(errors);
    const { values = [] } = (await registry.registry.getSingleMetric('graphql_responses_total')?.get()) ?? {};
    return Object.fromEntries(values.map(({ labels, value }) => [labels['outcome'], value]));
  }

  it('counts responses, and starts with the series that alerts read', async () => {
    expect(await counted()).toEqual({ ok: 0, INTERNAL: 0, TEMPORARILY_UNAVAILABLE: 0 });
    expect(await counted(undefined, [])).toMatchObject({ ok: 2, INTERNAL: 0 });
  });

  it.each([
    [[error('NOT_FOUND')], 'NOT_FOUND'],
    [[error('NOT_FOUND'), error('TEMPORARILY_UNAVAILABLE')], 'TEMPORARILY_UNAVAILABLE'],
    [[error('TEMPORARILY_UNAVAILABLE'), error('INTERNAL')], 'INTERNAL'],
    [[{ message: 'x' }], 'INTERNAL'],
  ])('counts %j once, as %s', async (errors, outcome) => {
    expect(await counted(errors)).toMatchObject({ ok: 0, [outcome]: 1 });
  });
});
