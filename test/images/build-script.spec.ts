import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = join(__dirname, '../../docker/build');
const TOOLS = ['bash', 'basename', 'cat', 'date', 'dirname', 'git', 'mkdir', 'mktemp', 'mv', 'paste', 'rm', 'sed'];
/** Stands for a program that builds images: it writes its arguments down, and the list of packages where they ask. */
const PROGRAM = (log: string, plugin: boolean): string => `#!/usr/bin/env bash
if [ "$1" = buildx ]; then exit ${plugin ? 0 : 1}; fi
echo "$(basename "$0") $*" >>"${log}"
for word in "$@"; do
  case "$word" in type=local,dest=*) mkdir -p "\${word#*dest=}"; echo '{}' >"\${word#*dest=}/bom.cdx.json" ;; esac
done
`;

const directory = mkdtempSync(join(tmpdir(), 'lyceum-build-'));
afterAll(() => rmSync(directory, { recursive: true }));
const folderOf = (program: string): string =>
  execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();

/** Runs docker/build for one service on a machine with these programs. */
function build(programs: readonly string[], plugin: boolean, ...options: string[]) {
  const [bin, output] = ['bin', 'output'].map((name) => join(mkdtempSync(join(directory, 'machine-')), name));
  mkdirSync(bin!);
  const log = join(bin!, 'log');
  for (const tool of [...TOOLS, 'env']) symlinkSync(folderOf(tool), join(bin!, tool));
  for (const name of programs) writeFileSync(join(bin!, name), PROGRAM(log, plugin), { mode: 0o755 });
  const args = [SCRIPT, 'mcp-gateway', '--tag', '0.2.0', '--output', output!, ...options];
  const { status, stdout, stderr } = spawnSync(join(bin!, 'bash'), args, { encoding: 'utf8', env: { PATH: bin! } });
  const calls = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  const lists = existsSync(join(output!, 'lyceum-mcp-gateway.cdx.json'));
  return { status, stdout, stderr, used: [...new Set(calls.map((call) => call.split(' ', 1)[0]))], calls, lists };
}

it.each([
  ['docker', ['docker', 'podman', 'buildah'], true],
  ['podman', ['docker', 'podman', 'buildah'], false],
  ['buildah', ['docker', 'buildah'], false],
])('builds with %s, the first of %j that can, with the plugin of docker: %s', (tool, programs, plugin) => {
  const { status, stdout, used, calls, lists } = build(programs, plugin);
  expect([status, stdout, used, lists]).toEqual([0, 'lyceum-mcp-gateway:0.2.0\n', [tool], true]);
  expect(calls[0]).toContain('--build-arg VERSION=0.2.0');
});

it.each([
  [['docker'], 'Install docker with buildx, podman or buildah', []],
  [[], 'Install docker with buildx, podman or buildah', []],
  [['docker', 'podman'], 'Install its plugin buildx, or name --tool podman', ['--tool', 'docker']],
  [['podman'], 'buildah is not installed', ['--tool', 'buildah']],
])('ends with one sentence where %j cannot build: %s', (programs, sentence, options) => {
  const { status, stderr, used } = build(programs, false, ...options);
  expect([status, used]).toEqual([69, []]);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(sentence)]);
});
