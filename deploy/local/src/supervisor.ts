import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * Ends children whose parent has died. A parent that is killed with SIGKILL cannot clean up, so a small shell in a
 * separate session reads a pipe from it: the kernel closes the pipe when the parent dies. Children get their own stop
 * signal first, so that PostgreSQL and the services end in order, and SIGKILL after five seconds.
 */
const SCRIPT = `
children=
while read -r verb pid signal; do
  case $verb in
    add) children="$children $pid:$signal" ;;
    remove) kept=; for c in $children; do [ "\${c%%:*}" = "$pid" ] || kept="$kept $c"; done; children=$kept ;;
  esac
done
[ -n "$children" ] || exit 0
for c in $children; do kill -s "\${c#*:}" "\${c%%:*}" 2>/dev/null; done
tries=0
while [ $tries -lt 50 ]; do
  alive=
  for c in $children; do kill -0 "\${c%%:*}" 2>/dev/null && alive=1; done
  [ -n "$alive" ] || exit 0
  tries=$((tries + 1))
  sleep 0.1
done
for c in $children; do kill -s KILL "\${c%%:*}" 2>/dev/null; done
`;

let pipe: Writable | undefined;

function supervisor(): Writable {
  if (pipe) return pipe;
  const shell = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.unref();
  const input = shell.stdin;
  // The supervisor can be killed, too. Then the parent-death signal ends the children.
  input.on('error', () => {});
  shell.on('error', () => {});
  shell.on('exit', () => (pipe = undefined));
  (input as Writable & { unref(): void }).unref();
  pipe = input;
  return input;
}

export function keep(pid: number, signal: NodeJS.Signals): void {
  supervisor().write(`add ${pid} ${signal.replace('SIG', '')}\n`);
}

export function release(pid: number): void {
  pipe?.write(`remove ${pid}\n`);
}
