import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemStack } from '../stack/system-stack.js';
import { type Command, Home } from './command.js';

const FILE = join(__dirname, '../../dist/openapi.json');
const document = readFileSync(FILE, 'utf8');

describe('/openapi.json', () => {
  const home = new Home();
  let redocly: Command;
  // Another process, which works beside Spectral.
  beforeAll(() => {
    const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = ['lint', '--config', join(__dirname, 'redocly.yaml'), '--format', 'json', FILE];
    redocly = home.start('redocly', args, environment);
  });
  afterAll(() => home.remove());

  it('serves the built openapi.json with the origin of the site', async () => {
    const { base_url } = systemStack().sites[0]!;
    const served: unknown = await (await fetch(`${base_url}/openapi.json`)).json();
    expect(served).toEqual(JSON.parse(document.replaceAll('https://school.example', base_url)));
  });

  it('passes Spectral with the ruleset oas', async () => {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [oas as RulesetDefinition] });
    expect(Object.keys(spectral.ruleset?.rules ?? {}).length).toBeGreaterThan(40);
    // Spectral would write an object as text, and read that by its YAML parser.
    const data = JSON.parse(document) as Record<string, unknown>;
    const parsed = { data, diagnostics: [], ast: {}, lineMap: [] };
    const results = await spectral.run({ parsed, getLocationForJsonPath: () => undefined });
    expect(results.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([]);
  });

  it('passes Redocly with the ruleset recommended-strict', async () => {
    const code = await redocly.ended;
    const { problems } = JSON.parse(redocly.stdout) as { problems: { ruleId: string; message: string }[] };
    expect([code, problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)]).toEqual([0, []]);
  });
});
