/**
 * `npm run command -- <service> <word> …`: a command of a service, against the running local stack. Runs on any
 * Node ≥ 20.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** The directory of the command. npm itself changes to the root. */
const here = process.env.INIT_CWD ?? process.cwd();
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL'];

/** The environment file of `npm start`: one NAME='value' a line. Variables of the stack win over those of the shell. */
function stackEnvironment(file) {
  const pairs = [...readFileSync(file, 'utf8').matchAll(/^(\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]);
  const inherited = INHERITED.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : []));
  return Object.fromEntries([...inherited, ...pairs]);
}

function accepts({ hostname, port }) {
  return new Promise((done) => {
    const socket = connect(Number(port) || 5432, hostname);
    socket.once('error', () => done(false));
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
  });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const [service, ...given] = process.argv.slice(2);
const services = readdirSync(join(root, 'apps'));
if (!services.includes(service))
  fail(`npm run command -- <service> <word> …: the services are ${services.join(', ')}.`);
let words = given;
let facts = join(root, '.lyceum');
if (words[0] === '--data') {
  if (words[1] === undefined) fail('--data needs the directory that was given to npm start.');
  facts = resolve(here, words[1]);
  words = words.slice(2);
}
if (words[0] === 'serve') fail(`This runs commands. To run the service apart: npx nx serve ${service}`);

const file = join(facts, `env/${service}.env`);
const start = 'Run npm start in another terminal, wait until it is ready, then repeat this command.';
if (!existsSync(file)) fail(`The local stack was never started (${file} is missing). ${start}`);
const environment = stackEnvironment(file);
const server = new URL(environment.DATABASE_URL ?? environment.NATS_URL);
if (!(await accepts(server))) fail(`The local stack is not running. ${start}`);

const program = join(root, 'node_modules/.bin/node');
const entries = ['bundle/main.js', 'dist/main.js'].map((name) => join(root, 'apps', service, name));
const main = entries.find((entry) => existsSync(entry)) ?? entries[0];
const args = words.length === 0 ? ['help'] : words;
spawn(program, [main, ...args], { stdio: 'inherit', cwd: here, env: environment })
  .once('error', (error) => fail(`${service} cannot be run: ${error.message}`))
  .once('exit', (code) => process.exit(code ?? 1));
