import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './generated.ts';
import { readGolden, workloads } from './objects.ts';

const FOLDERS = ['docs/runbooks', 'docs/operate'];
const KINDS: Readonly<Record<string, string>> = {
  deploy: 'Deployment',
  statefulset: 'StatefulSet',
  job: 'Job',
  cronjob: 'CronJob',
  scaledobject: 'ScaledObject',
  cluster: 'Cluster',
  externalsecret: 'ExternalSecret',
};
/** A kind and a name, as in `deploy/auth` and `delete job topology-now`. */
const OBJECT = new RegExp(String.raw`(?<=[ =])(?<!-[fk] )(${Object.keys(KINDS).join('|')})[/ ](?!-)([\w<>-]+)`, 'g');
const LABELS = /(?<= -l )[\w./-]+=[\w.<>,=/-]+/g;

const prod = readGolden('prod');
const everything = [
  ...prod.all.map(({ metadata }) => metadata.labels ?? {}),
  ...workloads(prod).map(({ labels }) => labels),
];

/** Commands with arguments, in code spans and code blocks. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/kubectl [^\s`]+ [^`\n]+/g)].map(([command]) => command.trim());

/** A placeholder such as `<service>` stands for any name. */
function isLike(pattern: string, name: string): boolean {
  const [before = '', after] = pattern.split(/<\w+>/);
  return after === undefined ? name === pattern : name.startsWith(before) && name.endsWith(after);
}

/** Returns what a command names and prod lacks. `made`: Jobs that earlier commands of the page create. */
function faultsOf(command: string, made: readonly string[] = []): string[] {
  const objects = [...command.matchAll(OBJECT)]
    .filter(([, , name = '']) => !made.includes(name))
    .filter(([, kind = '', name = '']) => !prod.of(KINDS[kind]!).some(({ metadata }) => isLike(name, metadata.name)));
  const pods = [...command.matchAll(/\bexec (?:-it )?([\w<>-]+)-\d\b/g)].filter(
    ([, name = '']) =>
      !['StatefulSet', 'Cluster'].some((kind) => prod.of(kind).some(({ metadata }) => isLike(name, metadata.name))),
  );
  const selectors = [...command.matchAll(LABELS)].filter(([list]) => {
    const wanted = list.split(',').map((one) => one.split('=') as [string, string]);
    return !everything.some((labels) => wanted.every(([label, value]) => isLike(value, labels[label] ?? '')));
  });
  return [
    ...(/^kubectl (?:-n lyceum |apply -[fk]\b)/.test(command) ? [] : ['no namespace']),
    ...[...objects, ...pods, ...selectors].map(([text]) => `no ${text}`),
  ];
}

const pages = FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder)).map((file) => `${folder}/${file}`)).map(
  (page) => [page, commandsIn(readFileSync(join(ROOT, page), 'utf8'))] as const,
);

describe('the commands of kubectl', () => {
  it('covers runbooks and pages for operators', () => {
    expect(pages.filter(([, commands]) => commands.length > 0).length).toBeGreaterThan(12);
  });

  it.each(pages)('names the namespace, and objects and labels of prod: %s', (_page, commands) => {
    const made = commands.flatMap((command) => / create job --from=\S+ (\S+)/.exec(command)?.[1] ?? []);
    expect(commands.flatMap((command) => faultsOf(command, made))).toEqual([]);
  });

  it.each([
    ['kubectl get pods', ['no namespace']],
    ['kubectl -n lyceum rollout undo deploy/student-api', ['no deploy/student-api']],
    ['kubectl -n lyceum logs job/<service>-migrations', ['no job/<service>-migrations']],
    ['kubectl -n lyceum get pods -l app.kubernetes.io/component=workers', ['no app.kubernetes.io/component=workers']],
    ['kubectl -n lyceum exec stan-0 -- ls', ['no exec stan-0']],
    ['kubectl -n lyceum exec deploy/<service> -- node app/bundle/main.js republish course', []],
  ])('finds what is wrong with %s', (command, faults) => {
    expect(faultsOf(command)).toEqual(faults);
  });
});
