import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Home } from './command.js';

const FILE = join(__dirname, '../../dist/openapi.json');
const document = readFileSync(FILE, 'utf8');

describe('/openapi.json', () => {
  it('passes Redocly with the ruleset recommended-strict', async () => {
    const home = new Home();
    try {
      const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const args = ['lint', '--config', join(__dirname, 'redocly.yaml'), '--format', 'json', FILE];
      const lint = home.start('redocly', args, environment);
      const code = await lint.ended;
      const { problems } = JSON.parse(lint.stdout) as { problems: { ruleId: string; message: string }[] };
      expect([code, problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)]).toEqual([0, []]);
    } finally {
      await home.remove();
    }
  });

  it('passes Spectral with the ruleset oas', async () => {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [oas as RulesetDefinition] });
    expect(Object.keys(spectral.ruleset?.rules ?? {}).length).toBeGreaterThan(40);
    const results = await spectral.run(JSON.parse(document) as Record<string, unknown>);
    expect(results.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([]);
  });
});
