import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@lyceum/contracts';
import { buildSchema, findBreakingChanges } from 'graphql';
import { z } from 'zod';
import { isObject, schemaChanges } from './json-schema.ts';
import type { Json } from './json-schema.ts';
import { openApiChanges } from './openapi.ts';

/** The surfaces that clients, consumers and models depend on. */
export interface Surfaces {
  readonly openapi: Json;
  readonly graphql: string;
  /** Tools by name. */
  readonly tools: Readonly<Record<string, Json>>;
  /** JSON Schema of the data of each event, by `<context>.<entity>.v<version>`. */
  readonly events: Readonly<Record<string, Json>>;
  /** JSON Schemas of the input and the output of each command of storefronts, by its name. */
  readonly commands: Readonly<Record<string, Json>>;
  /** Subjects that each durable consumer receives, by `<stream>/<consumer>`. */
  readonly consumers: Readonly<Record<string, readonly string[]>>;
}

const FIRST_RELEASE = [0, 1, 0];

/** True when breaking changes are refused: from v0.1.0 on, within one major version. A pre-release comes before it. */
export function refusesBreaking(version: string, baselineVersion: string): boolean {
  const [core = '', prerelease] = version.split('-', 2);
  const parts = core.split('.').map(Number);
  const difference = FIRST_RELEASE.map((part, index) => (parts[index] ?? 0) - part).find((value) => value !== 0) ?? 0;
  const released = difference > 0 || (difference === 0 && prerelease === undefined);
  return released && majorOf(version) === majorOf(baselineVersion);
}

const majorOf = (version: string): string => version.split('.', 1)[0] ?? '';

/** The sentences name the surface, the place and the change. */
export function breakingChanges(before: Surfaces, after: Surfaces): string[] {
  return [
    ...openApiChanges(before.openapi, after.openapi).map((change) => `openapi.json: ${change}`),
    ...findBreakingChanges(buildSchema(before.graphql), buildSchema(after.graphql)).map(
      ({ description }) => `schema.graphql: ${description}`,
    ),
    ...Object.entries(before.tools).flatMap(([name, tool]) => toolChanges(name, tool, after.tools[name])),
    ...Object.entries(before.events).flatMap(([name, event]) => eventChanges(name, event, after.events[name])),
    ...Object.entries(before.commands).flatMap(([name, one]) => commandChanges(name, one, after.commands[name])),
    ...Object.entries(before.consumers).flatMap(([name, one]) => consumerChanges(name, one, after.consumers[name])),
  ];
}

function toolChanges(name: string, before: Json, after: Json | undefined): string[] {
  const at = `tools.json: ${name}`;
  if (after === undefined) return [`${at}: was removed`];
  const scopes = after['scopes'] as readonly string[];
  const added = scopes.filter((scope) => !(before['scopes'] as readonly string[]).includes(scope));
  return [
    ...(before['audience'] === after['audience'] ? [] : [`${at}: the audience changed`]),
    ...added.map((scope) => `${at}: needs the scope ${scope} now`),
    ...schemaChanges('request', before['inputSchema'], after['inputSchema'], { at: `${at}: input` }),
    ...schemaChanges('response', before['outputSchema'], after['outputSchema'], { at: `${at}: output` }),
  ];
}

function eventChanges(name: string, before: Json, after: Json | undefined): string[] {
  const at = `events/${name}.json`;
  if (after === undefined) return [`${at}: was removed`];
  const names = after['names'] as readonly string[];
  const gone = (before['names'] as readonly string[]).filter((event) => !names.includes(event));
  const documents = [before['data'], after['data']] as [Json, Json];
  return [
    ...gone.map((event) => `${at}: ${event} was removed`),
    ...schemaChanges('response', before['data'], after['data'], { at, documents }),
  ];
}

function commandChanges(name: string, before: Json, after: Json | undefined): string[] {
  const at = `commands.json: ${name}`;
  if (after === undefined) return [`${at}: was removed`];
  const changes = (kind: 'request' | 'response', part: 'input' | 'output'): string[] => {
    const documents = [before[part], after[part]] as [Json, Json];
    return schemaChanges(kind, before[part], after[part], { at: `${at}: ${part}`, documents });
  };
  return [...changes('request', 'input'), ...changes('response', 'output')];
}

/**
 * Replicas of the last release read its consumers during an upgrade. NATS keeps a consumer that a release no longer
 * declares.
 */
function consumerChanges(name: string, before: readonly string[], after: readonly string[] = before): string[] {
  const at = `consumers.json: ${name}`;
  const [added, gone] = [difference(after, before), difference(before, after)];
  return [
    ...added.map((filter) => `${at}: receives ${filter} now, so the last release cannot read it: add a consumer`),
    ...gone.map((filter) => `${at}: receives ${filter} no longer`),
  ];
}

const difference = (these: readonly string[], others: readonly string[]): string[] =>
  these.filter((one) => !others.includes(one));

/** The surfaces of the working tree: outputs of the build (ADR 150). A spec of each service compares them with it. */
export function currentSurfaces(root: string): Surfaces {
  return {
    ...readDocuments((name) => join(root, 'dist', FILES[name])),
    events: eventSchemas(),
    commands: commandSchemas(),
    consumers: consumerFilters(),
  };
}

type Documents = Pick<Surfaces, 'openapi' | 'graphql' | 'tools'>;

function readDocuments(path: (name: keyof Documents) => string): Documents {
  return {
    openapi: readJson(path('openapi')),
    graphql: readFileSync(path('graphql'), 'utf8'),
    tools: byName(readJson(path('tools')) as unknown as readonly Json[]),
  };
}

function eventSchemas(): Record<string, Json> {
  const found = (Object.values(contracts) as readonly unknown[]).filter(isEntityEvents);
  return Object.fromEntries(
    found.map(({ context, entity, version, names, data }) => [
      `${context}.${entity}.v${version}`,
      { names, data: z.toJSONSchema(data, { io: 'input', unrepresentable: 'any' }) },
    ]),
  );
}

function commandSchemas(): Record<string, Json> {
  const schema = (type: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return Object.fromEntries(
    contracts.STOREFRONT_COMMANDS.map(({ name, input, output }) => [
      name,
      { input: schema(input, 'input'), output: schema(output, 'output') },
    ]),
  );
}

function consumerFilters(): Record<string, readonly string[]> {
  const { consumers } = contracts.TOPOLOGY;
  return Object.fromEntries(consumers.map(({ stream, name, filters }) => [`${stream}/${name}`, filters]));
}

function isEntityEvents(value: unknown): value is contracts.EntityEvents {
  return isObject(value) && 'entity' in value && 'names' in value && 'filter' in value;
}

export interface Baseline {
  readonly version: string;
  readonly surfaces: Surfaces;
}

const FILES = {
  version: 'version.json',
  openapi: 'openapi.json',
  graphql: 'schema.graphql',
  tools: 'tools.json',
  events: 'events',
  commands: 'commands.json',
  consumers: 'consumers.json',
} as const;

const baselineDirectory = (root: string): string => join(root, 'docs/compatibility');

/** @throws when a part is missing: without a baseline every change would pass. */
export function readBaseline(root: string): Baseline {
  const path = (name: keyof typeof FILES): string => {
    const file = join(baselineDirectory(root), FILES[name]);
    if (existsSync(file)) return file;
    throw new Error(`docs/compatibility/${FILES[name]} is missing: restore it, or write it with \`npm run release\``);
  };
  const events = readdirSync(path('events')).map((file) => [
    file.replace(/\.json$/, ''),
    readJson(join(path('events'), file)),
  ]);
  return {
    version: String(readJson(path('version'))['version']),
    surfaces: {
      ...readDocuments(path),
      events: Object.fromEntries(events) as Record<string, Json>,
      commands: readJson(path('commands')) as Record<string, Json>,
      consumers: readJson(path('consumers')) as Record<string, readonly string[]>,
    },
  };
}

/** Only `npm run release` calls it. */
export function writeBaseline(root: string, { version, surfaces }: Baseline): void {
  const directory = baselineDirectory(root);
  rmSync(join(directory, FILES.events), { recursive: true, force: true });
  mkdirSync(join(directory, FILES.events), { recursive: true });
  const write = (file: string, value: unknown): void =>
    writeFileSync(join(directory, file), `${JSON.stringify(value, null, 2)}\n`);
  write(FILES.version, { version });
  write(FILES.openapi, surfaces.openapi);
  write(FILES.commands, surfaces.commands);
  write(FILES.consumers, surfaces.consumers);
  write(FILES.tools, Object.values(surfaces.tools));
  writeFileSync(join(directory, FILES.graphql), surfaces.graphql);
  for (const [name, event] of Object.entries(surfaces.events)) write(`${FILES.events}/${name}.json`, event);
}

const byName = (list: readonly Json[]): Record<string, Json> =>
  Object.fromEntries(list.map((entry) => [String(entry['name']), entry]));

function readJson(file: string): Json {
  return JSON.parse(readFileSync(file, 'utf8')) as Json;
}
