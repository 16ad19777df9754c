import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemStack } from '../stack/system-stack.js';
import { type Command, Home } from './command.js';

const FILE = join(__dirname, '../../dist/openapi.json');
const document = readFileSync(FILE, 'utf8');

const EXAMPLES = 'oas3-valid-media-example';
const examples = oas.rules[EXAMPLES];
type Check = typeof examples.then.function;

/** Parts of a path on which the check of an example depends: a request lacks the members that only the service sets. */
const ROLES = new Set<unknown>(['paths', 'components', 'requestBody', 'requestBodies', 'responses', 'headers']);

/**
 * Spectral compiles a schema for each place of an example. A response of many operations is one object once its
 * references are resolved: one check in each role is enough.
 */
function checkedOnce() {
  const places = { checked: 0 };
  const known = new Map<string, WeakSet<object>>();
  const check = (...[input, options, context]: Parameters<Check>): ReturnType<Check> => {
    const role = context.path.filter((part) => ROLES.has(part)).join(' ');
    const checked = known.get(role) ?? new WeakSet();
    known.set(role, checked);
    if (checked.has(input)) return undefined;
    checked.add(input);
    places.checked += 1;
    return examples.then.function(input, options, context);
  };
  // oxlint-disable-next-line no-thenable -- a rule of Spectral has this member
  return { places, rule: { ...examples, then: { ...examples.then, function: check } } };
}

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
    const { places, rule } = checkedOnce();
    spectral.setRuleset({ extends: [oas as RulesetDefinition], rules: { [EXAMPLES]: rule } });
    expect(Object.keys(spectral.ruleset?.rules ?? {}).length).toBeGreaterThan(40);
    // Spectral would write an object as text, and read that by its YAML parser.
    const data = JSON.parse(document) as Record<string, unknown>;
    const parsed = { data, diagnostics: [], ast: {}, lineMap: [] };
    const results = await spectral.run({ parsed, getLocationForJsonPath: () => undefined });
    expect(results.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([]);
    expect(places.checked).toBeGreaterThan(300);
  });

  it('passes Redocly with the ruleset recommended-strict', async () => {
    const code = await redocly.ended;
    const { problems } = JSON.parse(redocly.stdout) as { problems: { ruleId: string; message: string }[] };
    expect([code, problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)]).toEqual([0, []]);
  });
});
