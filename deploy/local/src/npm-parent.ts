/**
 * npm that is killed with SIGKILL tells its script nothing. So we look who our parent is: another one than at the start
 * means that npm is gone. Only below npm: what is started by hand may outlive its shell.
 */
export function onParentGone(action: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    action();
  }, 300);
  timer.unref();
}
