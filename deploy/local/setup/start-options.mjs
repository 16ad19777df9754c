import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

const OPTIONS = {
  port: { type: 'string', value: '<n>' },
  data: { type: 'string', value: '<directory>' },
  small: { type: 'boolean' },
  without: { type: 'string', value: '<name>' },
  replicas: { type: 'string', value: '<name>=<n>' },
  watch: { type: 'string', value: '<name>' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean' },
};

/** Replicas of one service on this machine. */
export const REPLICAS = { least: 1, most: 4 };

/** npm has options of these names itself, so their variables may be set without a mistake. */
const OPTIONS_OF_NPM = ['verbose', 'help'];

export const HELP = `npm start -- [options]

  --port <n>          port of both sites (8080)
  --data <directory>  where everything is kept (.lyceum/data); demo.json is written beside the default one, inside any other
  --small             a first site with four courses instead of 20 and with two students instead of 200
  --without <name>    leave a service out, to run it apart: npx nx serve <name> (can be repeated)
  --replicas <name>=<n>
                      run a service ${REPLICAS.least} to ${REPLICAS.most} times (can be repeated, or a list: auth=2,member-api=3)
  --watch <name>      build and restart this service when its sources change (npm run dev -- <name>)
  --verbose           show the logs of the services
  --help
`;

/**
 * The options of `npm start`. Needs no packages, so that wrong options end before the set-up.
 * @throws Error with a sentence for the person who typed them
 */
export function startOptions(args, environment = process.env) {
  const { values, positionals } = parsed(args, environment);
  assertNotTakenByNpm(values, positionals, environment);
  if (values.help) return 'help';
  const without = (values.without ?? []).map((name) => serviceOf('--without', name));
  const watch = values.watch === undefined ? undefined : serviceOf('--watch', values.watch.at(-1));
  if (watch !== undefined && without.includes(watch))
    throw new Error(`--watch ${watch} and --without ${watch}: a service that is left out cannot be restarted`);
  const replicas = replicasOf(values.replicas ?? []);
  const missing = without.find((name) => replicas[name] !== undefined);
  if (missing !== undefined)
    throw new Error(`--replicas ${missing}=${replicas[missing]} and --without ${missing}: it is left out`);
  const data = values.data === undefined ? join(root, '.lyceum/data') : resolve(values.data.at(-1));
  return {
    port: values.port === undefined ? undefined : portOf(values.port.at(-1)),
    data,
    facts: values.data === undefined ? join(root, '.lyceum') : data,
    small: values.small ?? false,
    verbose: values.verbose ?? false,
    without,
    replicas,
    watch,
  };
}

/** The values of each option that was given. */
function parsed(args, environment) {
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(OPTIONS).map(([name, { type }]) => [name, { type }])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = {};
  for (const token of tokens.filter(({ kind }) => kind === 'option')) {
    const { name, rawName, value, inlineValue } = token;
    if (!Object.hasOwn(OPTIONS, name)) throw unknown(rawName, environment);
    if (OPTIONS[name].type === 'boolean') {
      if (value !== undefined) throw new Error(`${rawName} takes no value.`);
      values[name] = true;
    } else {
      if (value === undefined || (!inlineValue && value.startsWith('-')))
        throw new Error(`${rawName} needs a value: ${rawName} ${OPTIONS[name].value}`);
      values[name] = [...(values[name] ?? []), value];
    }
  }
  return { values, positionals };
}

function unknown(rawName, environment) {
  const nearest = nearestOption(rawName.replace(/^-+/, ''));
  const question = nearest === undefined ? '' : ` Did you mean --${nearest}?`;
  return new Error(
    `${rawName} is an unknown option.${question} ${commandOf(environment)} --help describes all options.`,
  );
}

function nearestOption(name) {
  const near = Object.keys(OPTIONS)
    .map((option) => ({ option, distance: name && option.startsWith(name) ? 0 : distanceOf(name, option) }))
    .filter(({ option, distance }) => distance <= option.length / 2)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.option;
}

/** Levenshtein distance. */
function distanceOf(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...a].entries()) {
    const next = [line + 1];
    for (let at = 1; at <= b.length; at++)
      next.push(Math.min(next[at - 1] + 1, row[at] + 1, row[at - 1] + Number(letter !== b[at - 1])));
    row = next;
  }
  return row[b.length];
}

/**
 * Without `--`, npm reads the options as its own: `npm start --port 8490` runs the script with the argument 8490 and
 * the variable npm_config_port=true.
 */
function assertNotTakenByNpm(values, positionals, environment) {
  const taken = Object.keys(OPTIONS).filter(
    (name) => !OPTIONS_OF_NPM.includes(name) && environment[`npm_config_${name}`] && values[name] === undefined,
  );
  const command = commandOf(environment);
  if (taken.length > 0) {
    const valued = taken.filter((name) => OPTIONS[name].type === 'string');
    const written = taken.map((name) => {
      if (OPTIONS[name].type === 'boolean') return `--${name}`;
      const value = environment[`npm_config_${name}`];
      if (value !== 'true') return `--${name} ${value}`;
      return `--${name} ${valued.length === 1 && positionals.length === 1 ? positionals[0] : OPTIONS[name].value}`;
    });
    const names = taken.map((name) => `--${name}`).join(', ');
    throw new Error(
      `npm took ${names} for itself. Write two dashes before the options: ${command} ${written.join(' ')}`,
    );
  }
  if (positionals.length > 0)
    throw new Error(`"${positionals[0]}" is not an option. ${command} --help describes all options.`);
}

function commandOf(environment) {
  return environment.npm_lifecycle_event === 'dev' ? 'npm run dev --' : 'npm start --';
}

function portOf(text) {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Error(`--port ${text} is no port: a number from 1 to 65535`);
}

/** The number of replicas by service. */
function replicasOf(texts) {
  const replicas = {};
  for (const text of texts.flatMap((list) => list.split(','))) {
    const [name, number, ...more] = text.split('=');
    if (!name || !number || more.length > 0)
      throw new Error(`--replicas ${text}: write it as <name>=<n>, for example --replicas member-api=2`);
    const service = serviceOf('--replicas', name);
    if (replicas[service] !== undefined) throw new Error(`--replicas names ${service} twice`);
    const count = Number(number);
    if (!/^\d+$/.test(number) || count < REPLICAS.least || count > REPLICAS.most)
      throw new Error(`--replicas ${text}: a number from ${REPLICAS.least} to ${REPLICAS.most} is needed`);
    replicas[service] = count;
  }
  return replicas;
}

/** The folders of apps are the services. */
function serviceOf(option, name) {
  const services = readdirSync(join(root, 'apps')).filter((app) => existsSync(join(root, 'apps', app, 'package.json')));
  if (services.includes(name)) return name;
  throw new Error(`${option} ${name}: no such service (${services.join(', ')})`);
}
